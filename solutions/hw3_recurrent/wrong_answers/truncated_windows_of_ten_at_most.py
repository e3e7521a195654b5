"""Goes back through ten steps at most, however long the window."""

CAUGHT_BY = "test_truncated_bptt"
HINT = "two windows of thirty steps"


def truncated_bptt(p, x, targets, h0, window):
    total = {name: np.zeros(np.shape(value)) for name, value in p.items()}
    window = min(window, 10)
    for start in range(0, len(x), window):
        part = slice(start, start + window)
        gradients = bptt(p, x[part], targets[part], h0)
        h0 = forward(p, x[part], h0)[0][-1]
        for name in total:
            total[name] += gradients[name] * len(x[part]) / len(x)
    return total
