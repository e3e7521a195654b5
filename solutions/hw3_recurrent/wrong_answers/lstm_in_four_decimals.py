"""Rounds the new state and the new cell to four decimals."""

CAUGHT_BY = "test_lstm_step"
HINT = "small cells stay"


def lstm_step(x, h, c, W, b):
    below = np.concatenate([h, x])
    f, i, o = (1 / (1 + np.exp(-(W[gate] @ below + b[gate]))) for gate in "fio")
    c = f * c + i * np.tanh(W["g"] @ below + b["g"])
    return np.round(o * np.tanh(c), 4), np.round(c, 4)
