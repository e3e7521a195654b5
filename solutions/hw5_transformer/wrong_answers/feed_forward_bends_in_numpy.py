"""Takes the ReLU from numpy: nothing before it is differentiated."""

CAUGHT_BY = "test_feed_forward"
HINT = "but their gradients are wrong"


def feed_forward(p, X):
    up = (X @ p["W_up"] + p["b_up"]).detach().numpy()
    return torch.from_numpy(np.maximum(up, 0)) @ p["W_down"] + p["b_down"]
