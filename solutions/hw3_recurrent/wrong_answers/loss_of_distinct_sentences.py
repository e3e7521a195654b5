"""A sentence that comes twice counts once."""

CAUGHT_BY = "test_mean_loss"
HINT = "comes twice"


def mean_loss(p, sentences):
    losses, seen = [], []
    for x, targets in sentences:
        if (x.tolist(), targets.tolist()) in seen:
            continue
        seen.append((x.tolist(), targets.tolist()))
        for z, k in zip(forward(p, x, np.zeros(len(p["b_h"])))[1], targets, strict=True):
            losses.append(np.log(np.exp(z - z.max()).sum()) + z.max() - z[k])
    return np.mean(losses)
