"""Subtracts the largest output only where it is above zero."""

CAUGHT_BY = "test_mean_loss"
HINT = "where it is below zero, too"


def mean_loss(p, sentences):
    total, steps = 0.0, 0
    for x, targets in sentences:
        z = forward(p, x, np.zeros(len(p["b_h"])))[1]
        top = z.max(axis=1).clip(min=0)
        log_sum = top + np.log(np.exp(z - top[:, None]).sum(axis=1))
        total += (log_sum - z[np.arange(len(x)), targets]).sum()
        steps += len(x)
    return total / steps
