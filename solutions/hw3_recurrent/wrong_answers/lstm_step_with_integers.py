"""Writes the gates into arrays of the type of the biases."""

CAUGHT_BY = "test_lstm_step"
HINT = "make arrays of floats"


def lstm_step(x, h, c, W, b):
    hx = np.concatenate([h, x])
    s = {}
    for g in "figo":
        out = np.zeros_like(b[g])
        out[:] = 0
        a = W[g] @ hx + b[g]
        for j in range(len(a)):
            out[j] = np.tanh(a[j]) if g == "g" else 0.5 + 0.5 * np.tanh(a[j] / 2)
        s[g] = out
    c = s["f"] * c + s["i"] * s["g"]
    return s["o"] * np.tanh(c), c
