"""Writes the gradient into an array of the type of the input."""

CAUGHT_BY = "test_weight_gradient"
HINT = "where the input holds integers"


def weight_gradient(W, x, y):
    g = np.zeros((len(y), len(x)), dtype=x.dtype)
    e = softmax(W @ x) - y
    for i in range(len(y)):
        for j in range(len(x)):
            g[i, j] = e[i] * x[j]
    return g
