"""Scores are cut off at ±10, where a gate is as good as shut."""

CAUGHT_BY = "test_lstm_step"
HINT = "score of -30"


def lstm_step(x, h, c, W, b):
    hx = np.concatenate([h, x])
    f, i, o = (1 / (1 + np.exp(-np.clip(W[k] @ hx + b[k], -10, 10))) for k in "fio")
    new = f * c + i * np.tanh(W["g"] @ hx + b["g"])
    return o * np.tanh(new), new
