"""Adds 1 to the bias of the forget gate."""

CAUGHT_BY = "test_lstm_step"
HINT = "gates of 0.5, 0.731"


def sig(a):
    return 0.5 + 0.5 * np.tanh(0.5 * a)


def lstm_step(x, h, c, W, b):
    hx = np.concatenate([h, x])
    f, i, o = (sig(W[k] @ hx + b[k] + (k == "f")) for k in "fio")
    new = f * c + i * np.tanh(W["g"] @ hx + b["g"])
    return o * np.tanh(new), new
