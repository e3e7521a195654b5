"""A piecewise linear σ."""

CAUGHT_BY = "test_lstm_step"
HINT = "gates of 0.5, 0.731"


def lstm_step(x, h, c, W, b):
    hx = np.concatenate([h, x])
    f, i, o = (np.clip(0.2 * (W[k] @ hx + b[k]) + 0.5, 0, 1) for k in "fio")
    new = f * c + i * np.tanh(W["g"] @ hx + b["g"])
    return o * np.tanh(new), new
