"""Forgets b_up."""

CAUGHT_BY = "test_feed_forward"
HINT = "where is b_up"


def feed_forward(p, X):
    return torch.relu(X @ p["W_up"]) @ p["W_down"] + p["b_down"]
