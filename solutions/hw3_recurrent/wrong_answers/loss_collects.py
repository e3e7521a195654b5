"""Collects the losses in a list that stays from call to call."""

CAUGHT_BY = "test_mean_loss"
HINT = "something stays from the call before"

losses = []


def mean_loss(p, sentences):
    for x, targets in sentences:
        z = forward(p, x, np.zeros(len(p["b_h"])))[1]
        z = z - z.max(axis=1, keepdims=True)
        lp = z - np.log(np.exp(z).sum(axis=1, keepdims=True))
        losses.extend(-lp[t, k] for t, k in enumerate(targets))
    return sum(losses) / len(losses)
