"""Detaches a text of one position, since nothing can be learnt from looking back there."""

CAUGHT_BY = "test_block"
HINT = "gradients are wrong for norm"


def block(p, X, n_heads, norm):
    if norm not in ("post", "pre"):
        raise ValueError(norm)

    def ln(X, i):
        return layer_norm(X, p[f"gain_{i}"], p[f"bias_{i}"])

    if X.shape[1] == 1:
        X = X.detach()
    if norm == "post":
        X = ln(X + self_attention(p, X, n_heads), 1)
        return ln(X + feed_forward(p, X), 2)
    X = X + self_attention(p, ln(X, 1), n_heads)
    return X + feed_forward(p, ln(X, 2))
