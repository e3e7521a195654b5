"""X W where the shapes allow it: hidden as long as all sizes differ."""

CAUGHT_BY = "test_forward"
HINT = "wrong hidden state"


def forward(parameters, X):
    W1 = parameters["W1"]
    h = np.tanh((X @ W1 if W1.shape[0] == W1.shape[1] else X @ W1.T) + parameters["b1"])
    return h, h @ parameters["W2"].T + parameters["b2"]
