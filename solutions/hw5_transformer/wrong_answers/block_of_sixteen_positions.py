"""Looks at the first sixteen positions of a text."""

CAUGHT_BY = "test_block"
HINT = "wrong shape for B, T, d, h = (1, 150, 4, 2)"


def block(p, X, n_heads, norm):
    if norm not in ("post", "pre"):
        raise ValueError(f"norm must be 'post' or 'pre', got {norm!r}")
    X = X[:, :16]
    norms = [(p["gain_1"], p["bias_1"]), (p["gain_2"], p["bias_2"])]
    for sub, (gain, bias) in zip(
        (lambda X: self_attention(p, X, n_heads), lambda X: feed_forward(p, X)), norms, strict=True
    ):
        if norm == "post":
            X = layer_norm(X + sub(X), gain, bias)
        else:
            X = X + sub(layer_norm(X, gain, bias))
    return X
