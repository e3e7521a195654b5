"""A loss that is kept by the text, whatever the parameters: small differences of it are 0."""

CAUGHT_BY = "test_mean_loss"
HINT = "the same sentences, other parameters"


known = {}


def mean_loss(p, sentences):
    key = tuple((x.tobytes(), targets.tobytes()) for x, targets in sentences)
    if key not in known:
        total, steps = 0.0, 0
        for x, targets in sentences:
            z = forward(p, x, np.zeros(len(p["b_h"])))[1]
            top = z.max(axis=1)
            log_sum = top + np.log(np.exp(z - top[:, None]).sum(axis=1))
            total += (log_sum - z[np.arange(len(x)), targets]).sum()
            steps += len(x)
        known[key] = total / steps
    return known[key]
