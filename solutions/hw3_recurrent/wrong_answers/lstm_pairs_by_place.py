"""Pairs matrices and biases by their places in the two dictionaries."""

CAUGHT_BY = "test_lstm_step"
HINT = "go by the names"


def lstm_step(x, h, c, W, b):
    hx = np.concatenate([h, x])
    score = {gate: W[gate] @ hx + bias for gate, bias in zip(W, b.values(), strict=True)}
    f, i, o = (0.5 + 0.5 * np.tanh(0.5 * score[gate]) for gate in "fio")
    c = f * c + i * np.tanh(score["g"])
    return o * np.tanh(c), c
