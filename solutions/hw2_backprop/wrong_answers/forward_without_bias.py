"""Leaves the first bias out."""

CAUGHT_BY = "test_forward"
HINT = "where is the bias b1"


def forward(parameters, X):
    h = np.tanh(X @ parameters["W1"].T)
    return h, h @ parameters["W2"].T + parameters["b2"]
