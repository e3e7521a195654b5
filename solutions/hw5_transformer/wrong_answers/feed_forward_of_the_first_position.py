"""The first position's hidden layer for all of them."""

CAUGHT_BY = "test_feed_forward"
HINT = "position 1 of sequence 0"


def feed_forward(p, X):
    return torch.relu(X[:, :1].expand_as(X) @ p["W_up"] + p["b_up"]) @ p["W_down"] + p["b_down"]
