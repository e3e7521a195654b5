"""The candidate's tanh as (e^2a - 1)/(e^2a + 1), NaN for large positive scores only."""

CAUGHT_BY = "test_lstm_step"
HINT = "candidates -1 or 1"


def sig(a):
    return 0.5 + 0.5 * np.tanh(0.5 * a)


def lstm_step(x, h, c, W, b):
    hx = np.concatenate([h, x])
    f, i, o = (sig(W[k] @ hx + b[k]) for k in "fio")
    e = np.exp(2 * (W["g"] @ hx + b["g"]))
    new = f * c + i * (e - 1) / (e + 1)
    return o * np.tanh(new), new
