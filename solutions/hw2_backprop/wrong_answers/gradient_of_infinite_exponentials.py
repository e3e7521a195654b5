"""Writes the softmax once more, without taking the largest score off."""

CAUGHT_BY = "test_weight_gradient"
HINT = "e¹⁰⁰⁰ is infinite"


def weight_gradient(W, x, y):
    e = np.exp(W @ x)
    return np.outer(e / e.sum() - y, x)
