"""Stacks the four matrices once and keeps the stack in the dictionaries that came."""

CAUGHT_BY = "test_lstm_step"
HINT = "into W or b"


def lstm_step(x, h, c, W, b):
    hx = np.concatenate([h, x])
    if "all" not in W:
        W["all"] = np.vstack([W[k] for k in "fiog"])
        b["all"] = np.concatenate([b[k] for k in "fiog"])
    a = (W["all"] @ hx + b["all"]).reshape(4, -1)
    f, i, o = 0.5 + 0.5 * np.tanh(0.5 * a[:3])
    c = f * c + i * np.tanh(a[3])
    return o * np.tanh(c), c
