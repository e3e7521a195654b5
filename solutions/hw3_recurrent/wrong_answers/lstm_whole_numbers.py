"""Writes the new cell into an array of the old one's type."""

CAUGHT_BY = "test_lstm_step"
HINT = "rounded to whole numbers"


def lstm_step(x, h, c, W, b):
    hx = np.concatenate([h, x])
    score = {gate: W[gate] @ hx + b[gate] for gate in "figo"}
    f, i, o = (0.5 + 0.5 * np.tanh(0.5 * score[gate]) for gate in "fio")
    new = np.empty_like(c)
    new[:] = f * c + i * np.tanh(score["g"])
    c = new
    return o * np.tanh(c), c
