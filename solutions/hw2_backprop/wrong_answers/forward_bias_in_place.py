"""Adds the bias to the batch that it was given."""

CAUGHT_BY = "test_forward"
HINT = "changed the parameters or the batch"


def forward(parameters, X):
    h = np.tanh(X @ parameters["W1"].T + parameters["b1"])
    z = h @ parameters["W2"].T
    parameters["b2"] += 0.0
    X -= X.mean(axis=0)
    return h, z + parameters["b2"]
