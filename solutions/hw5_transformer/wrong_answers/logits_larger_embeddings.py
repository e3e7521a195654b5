"""Multiplies the embeddings by the root of d, as the original does with its sines."""

CAUGHT_BY = "test_logits"
HINT = "wrong scores for random parameters"


def logits(parameters, tokens, n_heads):
    X = parameters["E"][tokens] * parameters["E"].shape[1] ** 0.5
    for p in parameters["blocks"]:
        X = block(p, X, n_heads, "pre")
    return layer_norm(X, parameters["gain"], parameters["bias"]) @ parameters["E"].T
