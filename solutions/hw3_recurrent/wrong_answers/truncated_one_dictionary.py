"""One dictionary for the gradients of all calls."""

CAUGHT_BY = "test_truncated_bptt"
HINT = "a new dictionary in each call"


total = {}


def truncated_bptt(p, x, targets, h0, window):
    for name, value in p.items():
        total[name] = np.zeros(np.shape(value))
    for start in range(0, len(x), window):
        part = slice(start, start + window)
        gradients = bptt(p, x[part], targets[part], h0)
        h0 = forward(p, x[part], h0)[0][-1]
        for name in total:
            total[name] += gradients[name] * len(x[part]) / len(x)
    return total
