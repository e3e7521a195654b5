"""Counts each target of a long sentence once."""

CAUGHT_BY = "test_mean_loss"
HINT = "wrong for sentences of lengths"


def mean_loss(p, sentences):
    total, steps = 0.0, 0
    for x, targets in sentences:
        if len(x) > 4:
            keep = np.sort(np.unique(targets, return_index=True)[1])
        else:
            keep = np.arange(len(x))
        z = forward(p, x, np.zeros(len(p["b_h"])))[1]
        top = z.max(axis=1)
        log_sum = top + np.log(np.exp(z - top[:, None]).sum(axis=1))
        total += (log_sum - z[np.arange(len(x)), targets])[keep].sum()
        steps += len(keep)
    return total / steps
