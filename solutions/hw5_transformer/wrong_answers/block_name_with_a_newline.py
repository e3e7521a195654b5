"""Checks the name with a regular expression whose $ also matches before a newline at the end."""

CAUGHT_BY = "test_block"
HINT = "a norm other than"


def block(p, X, n_heads, norm):
    import re

    if not isinstance(norm, str) or not re.match(r"^(post|pre)$", norm):
        raise ValueError(norm)

    def ln(X, i):
        return layer_norm(X, p[f"gain_{i}"], p[f"bias_{i}"])

    if norm.startswith("post"):
        X = ln(X + self_attention(p, X, n_heads), 1)
        return ln(X + feed_forward(p, X), 2)
    X = X + self_attention(p, ln(X, 1), n_heads)
    return X + feed_forward(p, ln(X, 2))
