"""Goes on from one sentence to the next with the state."""

CAUGHT_BY = "test_mean_loss"
HINT = "every sentence starts from the state zero"


def mean_loss(p, sentences):
    state = np.zeros(len(p["b_h"]))
    total, steps = 0.0, 0
    for x, targets in sentences:
        h, z = forward(p, x, state)
        state = h[-1] if len(h) else state
        top = z.max(axis=1)
        log_sum = top + np.log(np.exp(z - top[:, None]).sum(axis=1))
        total += (log_sum - z[np.arange(len(x)), targets]).sum()
        steps += len(x)
    return total / steps
