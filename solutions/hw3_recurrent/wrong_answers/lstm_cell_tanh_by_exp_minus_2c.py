"""The tanh of the cell as (1 - e^-2c)/(1 + e^-2c), which is infinity over infinity for a cell far below zero."""

CAUGHT_BY = "test_lstm_step"
HINT = "a cell of -1000 is kept"


def lstm_step(x, h, c, W, b):
    hx = np.concatenate([h, x])
    score = {gate: W[gate] @ hx + b[gate] for gate in "figo"}
    f, i, o = (0.5 + 0.5 * np.tanh(0.5 * score[gate]) for gate in "fio")
    c = f * c + i * np.tanh(score["g"])
    e = np.exp(-2 * c)
    return o * (1 - e) / (1 + e), c
