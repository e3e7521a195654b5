"""Keeps the hidden states below 0.99999, so that 1 - h² is never 0."""

CAUGHT_BY = "test_forward"
HINT = "none of its results is rounded or cut off"


def forward(parameters, X):
    h = np.clip(np.tanh(X @ parameters["W1"].T + parameters["b1"]), -0.99999, 0.99999)
    return h, h @ parameters["W2"].T + parameters["b2"]
