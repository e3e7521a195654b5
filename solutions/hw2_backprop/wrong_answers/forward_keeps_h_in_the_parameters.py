"""Keeps what backward will need where the parameters are."""

CAUGHT_BY = "test_forward"
HINT = "put something into the dictionary"


def forward(parameters, X):
    h = np.tanh(X @ parameters["W1"].T + parameters["b1"])
    z = h @ parameters["W2"].T + parameters["b2"]
    parameters["h"], parameters["z"] = h, z
    return h, z
