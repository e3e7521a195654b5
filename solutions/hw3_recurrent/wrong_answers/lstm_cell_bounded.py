"""Keeps the cell between −2 and 2."""

CAUGHT_BY = "test_lstm_step"
HINT = "a cell of 1000 is kept"


def lstm_step(x, h, c, W, b):
    hx = np.concatenate([h, x])
    score = {gate: W[gate] @ hx + b[gate] for gate in "figo"}
    f, i, o = (0.5 + 0.5 * np.tanh(0.5 * score[gate]) for gate in "fio")
    c = f * c + i * np.tanh(score["g"])
    c = np.clip(c, -2, 2)
    return o * np.tanh(c), c
