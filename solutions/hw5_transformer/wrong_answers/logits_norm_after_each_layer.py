"""The last LayerNorm after every layer."""

CAUGHT_BY = "test_logits"
HINT = "wrong scores for random parameters"


def logits(parameters, tokens, n_heads):
    X = parameters["E"][tokens]
    for p in parameters["blocks"]:
        X = block(p, X, n_heads, "pre")
        X = layer_norm(X, parameters["gain"], parameters["bias"])
    return (X if parameters["blocks"] else layer_norm(X, parameters["gain"], parameters["bias"])) @ parameters["E"].T
