"""Adds the input back as numbers: the gradient has no short way down."""

CAUGHT_BY = "test_block"
HINT = "but their gradients are wrong"


def block(p, X, n_heads, norm):
    if norm not in ("post", "pre"):
        raise ValueError(f"norm must be 'post' or 'pre', got {norm!r}")

    def norm_1(X):
        return layer_norm(X, p["gain_1"], p["bias_1"])

    def norm_2(X):
        return layer_norm(X, p["gain_2"], p["bias_2"])

    if norm == "post":
        X = norm_1(X.detach() + self_attention(p, X, n_heads))
        return norm_2(X.detach() + feed_forward(p, X))
    X = X.detach() + self_attention(p, norm_1(X), n_heads)
    return X.detach() + feed_forward(p, norm_2(X))
