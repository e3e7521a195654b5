"""Takes an empty sentence at the beginning for the end of the text."""

CAUGHT_BY = "test_mean_loss"
HINT = "wrong for sentences of lengths (0, 4, 0)"


def mean_loss(p, sentences):
    losses = []
    for x, targets in sentences:
        if not len(x):
            if not losses:
                break
            continue
        z = forward(p, x, np.zeros(len(p["b_h"])))[1]
        top = z.max(axis=1)
        log_sum = top + np.log(np.exp(z - top[:, None]).sum(axis=1))
        losses.extend(log_sum - z[np.arange(len(x)), targets])
    return np.mean(losses)
