"""A loss that is kept by the lengths of the sentences."""

CAUGHT_BY = "test_mean_loss"
HINT = "from a call before"

known = {}


def mean_loss(p, sentences):
    key = tuple(x.shape for x, _ in sentences)
    if key not in known:
        total, steps = 0.0, 0
        for x, targets in sentences:
            z = forward(p, x, np.zeros(len(p["b_h"])))[1]
            z = z - z.max(axis=1, keepdims=True)
            lp = z - np.log(np.exp(z).sum(axis=1, keepdims=True))
            total -= lp[np.arange(len(x)), targets].sum()
            steps += len(x)
        known[key] = total / steps
    return known[key]
