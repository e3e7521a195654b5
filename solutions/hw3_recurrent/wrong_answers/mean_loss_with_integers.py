"""Writes the outputs into an array of the type of the parameters."""

CAUGHT_BY = "test_mean_loss"
HINT = "make arrays of floats"


def mean_loss(p, sentences):
    total, steps = 0.0, 0
    for x, targets in sentences:
        state = np.zeros_like(p["b_h"])
        z = np.zeros((len(x), len(p["b_y"])), dtype=p["b_y"].dtype)
        for t in range(len(x)):
            state = np.tanh(p["W_xh"] @ x[t] + p["W_hh"] @ state + p["b_h"])
            z[t] = p["W_hy"] @ state + p["b_y"]
        for t in range(len(x)):
            m = z[t].max()
            total += m + math.log(np.exp(z[t] - m).sum()) - z[t, targets[t]]
        steps += len(x)
    return total / steps
