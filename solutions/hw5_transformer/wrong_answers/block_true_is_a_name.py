"""Takes norm for a switch, too: True is post-LN."""

CAUGHT_BY = "test_block"
HINT = "a norm other than"


def block(p, X, n_heads, norm):
    if norm not in ("post", "pre", True, False):
        raise ValueError(norm)
    post = norm == "post" or norm is True

    def ln(X, i):
        return layer_norm(X, p[f"gain_{i}"], p[f"bias_{i}"])

    if post:
        X = ln(X + self_attention(p, X, n_heads), 1)
        return ln(X + feed_forward(p, X), 2)
    X = X + self_attention(p, ln(X, 1), n_heads)
    return X + feed_forward(p, ln(X, 2))
