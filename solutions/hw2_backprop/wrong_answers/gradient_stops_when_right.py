"""No gradient where the largest probability is the target's and above 0.99, as in a perceptron."""

CAUGHT_BY = "test_weight_gradient"
HINT = "still has a gradient"


def weight_gradient(W, x, y):
    p = softmax(W @ x)
    return np.outer(p - y, x) * (p.argmax() != y.argmax() or 1 - (p.max() > 0.99))
