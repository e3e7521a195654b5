"""Adds a little to each probability, so that its logarithm is finite."""

CAUGHT_BY = "test_mean_loss"
HINT = "stay with logarithms"


def mean_loss(p, sentences):
    total, steps = 0.0, 0
    for x, targets in sentences:
        z = forward(p, x, np.zeros(len(p["b_h"])))[1]
        top = z.max(axis=1)
        log_sum = top + np.log(np.exp(z - top[:, None]).sum(axis=1))
        total -= np.log(predict(p, x, np.zeros(len(p["b_h"])))[np.arange(len(x)), targets] + 1e-9).sum()
        steps += len(x)
    return total / steps
