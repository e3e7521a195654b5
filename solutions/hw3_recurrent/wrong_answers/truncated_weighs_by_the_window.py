"""Weighs every window as if it were whole."""

CAUGHT_BY = "test_truncated_bptt"
HINT = "the last one shorter"


def truncated_bptt(p, x, targets, h0, window):
    total = {name: np.zeros(np.shape(value)) for name, value in p.items()}
    for start in range(0, len(x), window):
        part = slice(start, start + window)
        gradients = bptt(p, x[part], targets[part], h0)
        h0 = forward(p, x[part], h0)[0][-1]
        for name in total:
            total[name] += gradients[name] * min(window, len(x)) / len(x)
    return total
