"""Clips the scores at 500 instead of shifting them."""

CAUGHT_BY = "test_softmax"
HINT = "every e^z underflows"


def softmax(z):
    e = np.exp(np.clip(z, -np.inf, 500))
    return e / e.sum(axis=-1, keepdims=True)
