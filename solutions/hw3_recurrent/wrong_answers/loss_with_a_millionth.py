"""Adds a millionth before the logarithm, against a logarithm of 0 that cannot come."""

CAUGHT_BY = "test_mean_loss"
HINT = "round nothing, add nothing, cut nothing off"


def mean_loss(p, sentences):
    losses = []
    for x, targets in sentences:
        z = forward(p, x, np.zeros(len(p["b_h"])))[1]
        shifted = z - z.max(axis=1, keepdims=True)
        log_sum = np.log(np.exp(shifted).sum(axis=1) + 1e-6)
        losses.extend(log_sum - shifted[np.arange(len(x)), targets])
    return np.mean(losses)
