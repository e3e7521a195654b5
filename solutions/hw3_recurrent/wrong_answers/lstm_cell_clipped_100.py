"""The cell is kept between -100 and 100."""

CAUGHT_BY = "test_lstm_step"
HINT = "a cell of 1000 is kept"


def sig(a):
    return 0.5 + 0.5 * np.tanh(0.5 * a)


def lstm_step(x, h, c, W, b):
    hx = np.concatenate([h, x])
    f, i, o = (sig(W[k] @ hx + b[k]) for k in "fio")
    new = np.clip(f * c + i * np.tanh(W["g"] @ hx + b["g"]), -100, 100)
    return o * np.tanh(new), new
