"""Cuts the outputs off at ±700, where e^z is still finite."""

CAUGHT_BY = "test_predict"
HINT = "cut nothing off"


def predict(p, x, h0):
    z = forward(p, x, h0)[1]
    e = np.exp(np.clip(z, -700, 700))
    return e / e.sum(axis=1, keepdims=True)
