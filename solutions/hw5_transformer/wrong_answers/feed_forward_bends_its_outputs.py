"""ReLU on the outputs, too."""

CAUGHT_BY = "test_feed_forward"
HINT = "no ReLU on the outputs"


def feed_forward(p, X):
    return torch.relu(torch.relu(X @ p["W_up"] + p["b_up"]) @ p["W_down"] + p["b_down"])
