"""Cuts the state together with the gradient."""

CAUGHT_BY = "test_truncated_bptt"
HINT = "every window starts anew"


def truncated_bptt(p, x, targets, h0, window):
    total = {name: np.zeros(np.shape(value)) for name, value in p.items()}
    for start in range(0, len(x), window):
        part = slice(start, start + window)
        gradients = bptt(p, x[part], targets[part], h0)
        h0 = np.zeros(len(h0))
        for name in total:
            total[name] += gradients[name] * len(x[part]) / len(x)
    return total
