"""With equal widths, multiplies by the transposed matrix."""

CAUGHT_BY = "test_feed_forward"
HINT = "d, d_ff = (3, 3, 3, 3)"


def feed_forward(p, X):
    return (
        torch.relu(X @ (p["W_up"].T if len(set(p["W_up"].shape)) == 1 else p["W_up"]) + p["b_up"]) @ p["W_down"]
        + p["b_down"]
    )
