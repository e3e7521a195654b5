"""No nonlinearity."""

CAUGHT_BY = "test_feed_forward"
HINT = "where is the ReLU"


def feed_forward(p, X):
    return (X @ p["W_up"] + p["b_up"]) @ p["W_down"] + p["b_down"]
