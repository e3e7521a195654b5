"""The sum over all steps."""

CAUGHT_BY = "test_mean_loss"
HINT = "that is the sum over the five steps"


def mean_loss(p, sentences):
    total, steps = 0.0, 0
    for x, targets in sentences:
        z = forward(p, x, np.zeros(len(p["b_h"])))[1]
        top = z.max(axis=1)
        log_sum = top + np.log(np.exp(z - top[:, None]).sum(axis=1))
        total += (log_sum - z[np.arange(len(x)), targets]).sum()
        steps += len(x)
    return total
