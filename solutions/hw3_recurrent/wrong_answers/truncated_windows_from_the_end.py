"""The first window is the shorter one."""

CAUGHT_BY = "test_truncated_bptt"
HINT = "the last one shorter"


def truncated_bptt(p, x, targets, h0, window):
    total = {name: np.zeros(np.shape(value)) for name, value in p.items()}
    edges = [0, *range(len(x) % window or window, len(x), window), len(x)] if window < len(x) else [0, len(x)]
    for start, end in zip(edges, edges[1:], strict=False):
        part = slice(start, end)
        gradients = bptt(p, x[part], targets[part], h0)
        h0 = forward(p, x[part], h0)[0][-1]
        for name in total:
            total[name] += gradients[name] * len(x[part]) / len(x)
    return total
