"""What is not kept is written, as in a GRU."""

CAUGHT_BY = "test_lstm_step"
HINT = "all into the cell and nothing shown"


def lstm_step(x, h, c, W, b):
    hx = np.concatenate([h, x])
    score = {gate: W[gate] @ hx + b[gate] for gate in "figo"}
    f, i, o = (0.5 + 0.5 * np.tanh(0.5 * score[gate]) for gate in "fio")
    c = f * c + (1 - f) * np.tanh(score["g"])
    return o * np.tanh(c), c
