"""Works in the old cell's array."""

CAUGHT_BY = "test_lstm_step"
HINT = "lstm_step changed what it was given"


def lstm_step(x, h, c, W, b):
    hx = np.concatenate([h, x])
    score = {gate: W[gate] @ hx + b[gate] for gate in "figo"}
    f, i, o = (0.5 + 0.5 * np.tanh(0.5 * score[gate]) for gate in "fio")
    c *= f
    c += i * np.tanh(score["g"])
    return o * np.tanh(c), c
