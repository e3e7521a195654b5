"""State and cell that are kept by the old ones and the weights, whatever the input."""

CAUGHT_BY = "test_lstm_step"
HINT = "the same weights, another input"


known = {}


def lstm_step(x, h, c, W, b):
    key = h.tobytes(), c.tobytes(), *(W[gate].tobytes() + b[gate].tobytes() for gate in "figo")
    if key not in known:
        hx = np.concatenate([h, x])
        score = {gate: W[gate] @ hx + b[gate] for gate in "figo"}
        f, i, o = (0.5 + 0.5 * np.tanh(0.5 * score[gate]) for gate in "fio")
        c = f * c + i * np.tanh(score["g"])
        known[key] = o * np.tanh(c), c
    return tuple(array.copy() for array in known[key])
