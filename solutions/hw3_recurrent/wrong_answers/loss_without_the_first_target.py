"""Leaves out the first step of every sentence, as if its target were the start."""

CAUGHT_BY = "test_mean_loss"
HINT = "a mean of nothing"


def mean_loss(p, sentences):
    losses = []
    for x, targets in sentences:
        probabilities = predict(p, x, np.zeros(len(p["b_h"])))[1:]
        losses += (-np.log(probabilities[np.arange(len(x) - 1), targets[1:]])).tolist()
    return np.mean(losses)
