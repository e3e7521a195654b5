"""Returns the cell first, then the state."""

CAUGHT_BY = "test_lstm_step"
HINT = "the state h comes first"


def sig(a):
    return 0.5 + 0.5 * np.tanh(0.5 * a)


def lstm_step(x, h, c, W, b):
    hx = np.concatenate([h, x])
    f, i, o = (sig(W[k] @ hx + b[k]) for k in "fio")
    new = f * c + i * np.tanh(W["g"] @ hx + b["g"])
    return new, o * np.tanh(new)
