"""Adds each gate's bias in place to W [h; x], which is of integers where weights and inputs are."""

CAUGHT_BY = "test_lstm_step"
HINT = "weights of integers, biases of floats"


def lstm_step(x, h, c, W, b):
    score = {gate: W[gate] @ np.concatenate([h, x]) for gate in "figo"}
    for gate in "figo":
        score[gate] += b[gate]
    f, i, o = (0.5 + 0.5 * np.tanh(0.5 * score[gate]) for gate in "fio")
    c = f * c + i * np.tanh(score["g"])
    return o * np.tanh(c), c
