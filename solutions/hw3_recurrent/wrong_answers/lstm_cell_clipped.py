"""The cell is kept between -50 and 50."""

CAUGHT_BY = "test_lstm_step"
HINT = "a cell of 1000 is kept"


def lstm_step(x, h, c, W, b):
    scores = {gate: W[gate] @ np.concatenate([h, x]) + b[gate] for gate in "figo"}
    f, i, o = ((1 + np.tanh(scores[gate] / 2)) / 2 for gate in "fio")
    c = np.clip(f * np.clip(c, -50, 50) + i * np.tanh(scores["g"]), -50, 50)
    return o * np.tanh(c), c
