"""Gradients that are kept by parameters and text, whatever the window."""

CAUGHT_BY = "test_truncated_bptt"
HINT = "nothing stays from a call before"


known = {}


def truncated_bptt(p, x, targets, h0, window):
    key = (*(np.asarray(a).tobytes() for a in (*p.values(), x, targets, h0)),)
    if key not in known:
        total = {name: np.zeros(np.shape(value)) for name, value in p.items()}
        for start in range(0, len(x), window):
            part = slice(start, start + window)
            gradients = bptt(p, x[part], targets[part], h0)
            h0 = forward(p, x[part], h0)[0][-1]
            for name in total:
                total[name] += gradients[name] * len(x[part]) / len(x)
        known[key] = total
    return known[key]
