"""Rounds the loss to five decimals."""

CAUGHT_BY = "test_mean_loss"
HINT = "log(1 + e^-10.02)"


def mean_loss(p, sentences):
    losses = []
    for x, targets in sentences:
        z = forward(p, x, np.zeros(len(p["b_h"])))[1]
        top = z.max(axis=1)
        log_sum = top + np.log(np.exp(z - top[:, None]).sum(axis=1))
        losses.extend(log_sum - z[np.arange(len(x)), targets])
    return round(float(np.mean(losses)), 5)
