"""Forgets the four biases."""

CAUGHT_BY = "test_lstm_step"
HINT = "by their biases"


def lstm_step(x, h, c, W, b):
    score = {gate: W[gate] @ np.concatenate([h, x]) for gate in "figo"}
    f, i, o = (0.5 + 0.5 * np.tanh(0.5 * score[gate]) for gate in "fio")
    c = f * c + i * np.tanh(score["g"])
    return o * np.tanh(c), c
