"""Takes the gates in the order in which the dictionary has them."""

CAUGHT_BY = "test_lstm_step"
HINT = "go by the names"


def s(a):
    return 0.5 + 0.5 * np.tanh(0.5 * a)


def lstm_step(x, h, c, W, b):
    hx = np.concatenate([h, x])
    f, i, g, o = (W[k] @ hx + b[k] for k in W)
    c = s(f) * c + s(i) * np.tanh(g)
    return s(o) * np.tanh(c), c
