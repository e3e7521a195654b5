"""Rounds the loss to four decimals, as one prints it."""

CAUGHT_BY = "test_mean_loss"
HINT = "small losses stay"


def mean_loss(p, sentences):
    losses = []
    for x, targets in sentences:
        z = forward(p, x, np.zeros(len(p["b_h"])))[1]
        losses += list(np.logaddexp.reduce(z, axis=1) - z[np.arange(len(x)), targets])
    return round(float(np.mean(losses)), 4)
