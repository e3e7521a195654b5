"""Adds sines and cosines to the embeddings, though the queries and keys are rotated."""

CAUGHT_BY = "test_logits"
HINT = "wrong scores for random parameters"


def logits(parameters, tokens, n_heads):
    X = parameters["E"][tokens]
    X = X + sinusoidal_positions(*X.shape[1:])
    for p in parameters["blocks"]:
        X = block(p, X, n_heads, "pre")
    return layer_norm(X, parameters["gain"], parameters["bias"]) @ parameters["E"].T
