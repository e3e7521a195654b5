"""Computes σ as e^a/(1 + e^a)."""

CAUGHT_BY = "test_lstm_step"
HINT = "infinity over infinity"


def lstm_step(x, h, c, W, b):
    hx = np.concatenate([h, x])
    score = {gate: W[gate] @ hx + b[gate] for gate in "figo"}
    f, i, o = (np.exp(score[gate]) / (1 + np.exp(score[gate])) for gate in "fio")
    c = f * c + i * np.tanh(score["g"])
    return o * np.tanh(c), c
