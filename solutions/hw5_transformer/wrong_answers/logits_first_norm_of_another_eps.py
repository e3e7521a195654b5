"""Blocks of its own, whose first LayerNorm has an eps of 1e-6."""

CAUGHT_BY = "test_logits"
HINT = "2 layers: all LayerNorms"


def logits(parameters, tokens, n_heads):
    E = parameters["E"]
    x = E[tokens]
    for p in parameters["blocks"]:
        x = x + self_attention(p, layer_norm(x, p["gain_1"], p["bias_1"], 1e-6), n_heads)
        x = x + feed_forward(p, layer_norm(x, p["gain_2"], p["bias_2"]))
    return layer_norm(x, parameters["gain"], parameters["bias"]) @ E.T
