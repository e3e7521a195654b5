"""Rounds the hidden states to five decimals before it goes on."""

CAUGHT_BY = "test_forward"
HINT = "none of its results is rounded"


def forward(parameters, X):
    h = np.round(np.tanh(X @ parameters["W1"].T + parameters["b1"]), 5)
    return h, h @ parameters["W2"].T + parameters["b2"]
