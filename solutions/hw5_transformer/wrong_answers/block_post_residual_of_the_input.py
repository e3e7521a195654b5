"""The second residual connection begins at the block's input."""

CAUGHT_BY = "test_block"
HINT = "0 0 4 2 by the feed-forward"


def block(p, X, n_heads, norm):
    if norm not in ("post", "pre"):
        raise ValueError(f"norm must be 'post' or 'pre', got {norm!r}")

    def norm_1(X):
        return layer_norm(X, p["gain_1"], p["bias_1"])

    def norm_2(X):
        return layer_norm(X, p["gain_2"], p["bias_2"])

    if norm == "post":
        attended = norm_1(X + self_attention(p, X, n_heads))
        return norm_2(X + feed_forward(p, attended))
    X = X + self_attention(p, norm_1(X), n_heads)
    return X + feed_forward(p, norm_2(X))
