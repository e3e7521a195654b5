"""Keeps the scores between -20 and 20."""

CAUGHT_BY = "test_forward"
HINT = "scores may be large"


def forward(parameters, X):
    h = np.tanh(X @ parameters["W1"].T + parameters["b1"])
    return h, np.clip(h @ parameters["W2"].T + parameters["b2"], -20, 20)
