"""Cuts the sums off at 5 before the tanh, which is nearly 1 there."""

CAUGHT_BY = "test_forward"
HINT = "no sum is cut off before the tanh"


def forward(parameters, X):
    a = np.clip(X @ parameters["W1"].T + parameters["b1"], -5, 5)
    h = np.tanh(a)
    return h, h @ parameters["W2"].T + parameters["b2"]
