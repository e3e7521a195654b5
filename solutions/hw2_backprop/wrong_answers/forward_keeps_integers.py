"""Rounds the sums where the batch holds integers."""

CAUGHT_BY = "test_forward"
HINT = "the batch holds integers"


def forward(parameters, X):
    a = np.zeros((len(X), len(parameters["b1"])), dtype=X.dtype)
    a += (X @ parameters["W1"].T + parameters["b1"]).astype(X.dtype)
    h = np.tanh(a)
    return h, h @ parameters["W2"].T + parameters["b2"]
