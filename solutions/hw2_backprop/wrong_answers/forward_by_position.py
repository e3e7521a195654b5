"""Takes the parameters in the order of the dictionary."""

CAUGHT_BY = "test_forward"
HINT = "take the parameters by their names"


def forward(parameters, X):
    W1, b1, W2, b2 = parameters.values()
    h = np.tanh(X @ W1.T + b1)
    return h, h @ W2.T + b2
