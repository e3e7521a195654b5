"""Squashes the cell itself."""

CAUGHT_BY = "test_lstm_step"
HINT = "without a squashing"


def lstm_step(x, h, c, W, b):
    hx = np.concatenate([h, x])
    score = {gate: W[gate] @ hx + b[gate] for gate in "figo"}
    f, i, o = (0.5 + 0.5 * np.tanh(0.5 * score[gate]) for gate in "fio")
    c = np.tanh(f * c + i * np.tanh(score["g"]))
    return o * c, c
