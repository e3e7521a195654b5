"""Post-LN blocks."""

CAUGHT_BY = "test_logits"
HINT = "wrong scores for random parameters"


def logits(parameters, tokens, n_heads):
    X = parameters["E"][tokens]
    for p in parameters["blocks"]:
        X = block(p, X, n_heads, "post")
    return layer_norm(X, parameters["gain"], parameters["bias"]) @ parameters["E"].T
