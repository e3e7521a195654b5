"""Divides by T - 1 for each sentence of T steps."""

CAUGHT_BY = "test_mean_loss"
HINT = "a mean of nothing"


def mean_loss(p, sentences):
    total, steps = 0.0, 0
    for x, targets in sentences:
        z = forward(p, x, np.zeros(len(p["b_h"])))[1]
        total += (np.logaddexp.reduce(z, axis=1) - z[np.arange(len(x)), targets]).sum()
        steps += len(x) - 1
    return total / steps
