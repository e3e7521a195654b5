"""Averages over each sentence, then over the sentences."""

CAUGHT_BY = "test_mean_loss"
HINT = "a mean of two means"


def mean_loss(p, sentences):
    total, steps = 0.0, 0
    for x, targets in sentences:
        z = forward(p, x, np.zeros(len(p["b_h"])))[1]
        top = z.max(axis=1)
        log_sum = top + np.log(np.exp(z - top[:, None]).sum(axis=1))
        total += (log_sum - z[np.arange(len(x)), targets]).mean()
        steps += 1
    return total / steps
