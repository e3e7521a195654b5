"""Forgets the last LayerNorm."""

CAUGHT_BY = "test_logits"
HINT = "where is the last LayerNorm"


def logits(parameters, tokens, n_heads):
    X = parameters["E"][tokens]
    for p in parameters["blocks"]:
        X = block(p, X, n_heads, "pre")
    return X @ parameters["E"].T
