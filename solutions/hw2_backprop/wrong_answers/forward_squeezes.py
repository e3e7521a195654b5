"""Gives a vector where there is one hidden unit only."""

CAUGHT_BY = "test_forward"
HINT = "one hidden unit, one score"


def forward(parameters, X):
    h = np.tanh(X @ parameters["W1"].T + parameters["b1"])
    z = h @ parameters["W2"].T + parameters["b2"]
    return (h if h.shape[1] > 1 else h[:, 0]), z
