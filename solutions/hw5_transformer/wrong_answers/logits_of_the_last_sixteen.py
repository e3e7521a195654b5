"""Reads the last sixteen tokens of a text."""

CAUGHT_BY = "test_logits"
HINT = "two texts of 150 tokens"


def logits(parameters, tokens, n_heads):
    X = parameters["E"][tokens[:, -16:]]
    for p in parameters["blocks"]:
        X = block(p, X, n_heads, "pre")
    return layer_norm(X, parameters["gain"], parameters["bias"]) @ parameters["E"].T
