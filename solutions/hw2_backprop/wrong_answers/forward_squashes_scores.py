"""A tanh on the scores as well."""

CAUGHT_BY = "test_forward"
HINT = "no tanh on the scores"


def forward(parameters, X):
    h = np.tanh(X @ parameters["W1"].T + parameters["b1"])
    return h, np.tanh(h @ parameters["W2"].T + parameters["b2"])
