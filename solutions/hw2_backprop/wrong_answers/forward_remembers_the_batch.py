"""Keeps the results of a batch, whatever the parameters are by then."""

CAUGHT_BY = "test_forward"
HINT = "is another than in the call before"

_seen = {}


def forward(parameters, X):
    if X.tobytes() not in _seen:
        h = np.tanh(X @ parameters["W1"].T + parameters["b1"])
        z = h @ parameters["W2"].T + parameters["b2"]
        _seen[X.tobytes()] = h, z
    return _seen[X.tobytes()]
