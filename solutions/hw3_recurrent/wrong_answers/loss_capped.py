"""A loss is cut off at 1000 nats."""

CAUGHT_BY = "test_mean_loss"
HINT = "costs 2000 nats"


def mean_loss(p, sentences):
    total, steps = 0.0, 0
    for x, targets in sentences:
        z = forward(p, x, np.zeros(len(p["b_h"])))[1]
        z = z - z.max(axis=1, keepdims=True)
        lp = z - np.log(np.exp(z).sum(axis=1, keepdims=True))
        total += np.minimum(-lp[np.arange(len(x)), targets], 1000).sum()
        steps += len(x)
    return total / steps
