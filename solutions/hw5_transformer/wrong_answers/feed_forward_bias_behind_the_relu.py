"""Adds the inner bias to what the ReLU has made of the sums."""

CAUGHT_BY = "test_feed_forward"
HINT = "b_up is added before the ReLU, not behind it"


def feed_forward(p, X):
    return (torch.relu(X @ p["W_up"]) + p["b_up"]) @ p["W_down"] + p["b_down"]
