"""Writes the tanh with exponentials that overflow."""

CAUGHT_BY = "test_forward"
HINT = "np.tanh does not"


def forward(parameters, X):
    a = X @ parameters["W1"].T + parameters["b1"]
    h = (np.exp(a) - np.exp(-a)) / (np.exp(a) + np.exp(-a))
    return h, h @ parameters["W2"].T + parameters["b2"]
