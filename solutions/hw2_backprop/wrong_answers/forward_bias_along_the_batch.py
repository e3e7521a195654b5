"""Adds the bias to rows where the batch is as large as the layer."""

CAUGHT_BY = "test_forward"
HINT = "wrong hidden state"


def forward(parameters, X):
    b1 = parameters["b1"][:, None] if len(X) == len(parameters["b1"]) else parameters["b1"]
    h = np.tanh(X @ parameters["W1"].T + b1)
    return h, h @ parameters["W2"].T + parameters["b2"]
