"""The formula as it stands: e^1000 is infinite."""

CAUGHT_BY = "test_softmax"
HINT = "subtract the largest score first"


def softmax(z):
    return np.exp(z) / np.exp(z).sum(axis=-1, keepdims=True)
