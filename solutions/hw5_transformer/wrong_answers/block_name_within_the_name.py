"""Looks for the names within the name: "pre-LN" and "prepost" pass."""

CAUGHT_BY = "test_block"
HINT = "norm other than"


def block(p, X, n_heads, norm):
    if "pre" in str(norm):
        X = X + self_attention(p, layer_norm(X, p["gain_1"], p["bias_1"]), n_heads)
        return X + feed_forward(p, layer_norm(X, p["gain_2"], p["bias_2"]))
    if "post" in str(norm):
        X = layer_norm(X + self_attention(p, X, n_heads), p["gain_1"], p["bias_1"])
        return layer_norm(X + feed_forward(p, X), p["gain_2"], p["bias_2"])
    raise ValueError("norm")
