"""Starts where the call before has ended, but for the first call."""

CAUGHT_BY = "test_truncated_bptt"
HINT = "Does something stay from the first one?"


ended = {}


def truncated_bptt(p, x, targets, h0, window):
    h0 = ended.get(len(h0), h0)
    total = {name: np.zeros(np.shape(value)) for name, value in p.items()}
    for start in range(0, len(x), window):
        part = slice(start, start + window)
        gradients = bptt(p, x[part], targets[part], h0)
        h0 = forward(p, x[part], h0)[0][-1]
        for name in total:
            total[name] += gradients[name] * len(x[part]) / len(x)
    ended[len(h0)] = h0
    return total
