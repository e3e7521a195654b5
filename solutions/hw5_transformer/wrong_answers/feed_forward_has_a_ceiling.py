"""Bends at 6 once more (ReLU6)."""

CAUGHT_BY = "test_feed_forward"
HINT = "is wrong for B, T, d, d_ff"


def feed_forward(p, X):
    return torch.nn.functional.relu6(X @ p["W_up"] + p["b_up"]) @ p["W_down"] + p["b_down"]
