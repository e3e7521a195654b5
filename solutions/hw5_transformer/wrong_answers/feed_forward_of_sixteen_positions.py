"""Looks at the first sixteen positions of a text."""

CAUGHT_BY = "test_feed_forward"
HINT = "wrong shape for B, T, d, d_ff = (1, 150, 2, 3)"


def feed_forward(p, X):
    return torch.relu(X[:, :16] @ p["W_up"] + p["b_up"]) @ p["W_down"] + p["b_down"]
