"""Multiplies [x; h] instead of [h; x]."""

CAUGHT_BY = "test_lstm_step"
HINT = "the old state first"


def lstm_step(x, h, c, W, b):
    hx = np.concatenate([x, h])
    score = {gate: W[gate] @ hx + b[gate] for gate in "figo"}
    f, i, o = (0.5 + 0.5 * np.tanh(0.5 * score[gate]) for gate in "fio")
    c = f * c + i * np.tanh(score["g"])
    return o * np.tanh(c), c
