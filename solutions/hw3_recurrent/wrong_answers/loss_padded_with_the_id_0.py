"""Fills sentences up with the target 0, and leaves all targets of 0 out of the mean."""

CAUGHT_BY = "test_mean_loss"
HINT = "are targets of 0 left out?"


def mean_loss(p, sentences):
    T, total, steps = max(len(x) for x, _ in sentences), 0.0, 0
    for x, targets in sentences:
        targets = np.pad(targets, (0, T - len(targets)))
        z = forward(p, np.pad(x, ((0, T - len(x)), (0, 0))), np.zeros(len(p["b_h"])))[1]
        losses = np.logaddexp.reduce(z, axis=1) - z[np.arange(T), targets]
        total += losses[targets != 0].sum()
        steps += np.count_nonzero(targets)
    return total / steps
