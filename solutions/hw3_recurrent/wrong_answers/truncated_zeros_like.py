"""Adds up in arrays of the parameters' type."""

CAUGHT_BY = "test_truncated_bptt"
HINT = "Cannot cast ufunc"


def truncated_bptt(p, x, targets, h0, window):
    total = {name: np.zeros_like(value) for name, value in p.items()}
    for a in range(0, len(x), window):
        xs, ys = x[a : a + window], targets[a : a + window]
        g = bptt(p, xs, ys, h0)
        h0 = forward(p, xs, h0)[0][-1]
        for name in total:
            total[name] += g[name] * len(xs) / len(x)
    return total
