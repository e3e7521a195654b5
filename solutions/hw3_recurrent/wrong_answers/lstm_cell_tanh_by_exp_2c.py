"""The cell's tanh as (e^2c - 1)/(e^2c + 1), NaN for large cells."""

CAUGHT_BY = "test_lstm_step"
HINT = "a cell of 1000 is kept"


def sig(a):
    return 0.5 + 0.5 * np.tanh(0.5 * a)


def lstm_step(x, h, c, W, b):
    hx = np.concatenate([h, x])
    f, i, o = (sig(W[k] @ hx + b[k]) for k in "fio")
    new = f * c + i * np.tanh(W["g"] @ hx + b["g"])
    e = np.exp(2 * new)
    return o * (e - 1) / (e + 1), new
