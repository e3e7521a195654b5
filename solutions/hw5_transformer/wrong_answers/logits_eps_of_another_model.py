"""Takes the eps of another model for the last LayerNorm, 1e-6."""

CAUGHT_BY = "test_logits"
HINT = "the usual eps"


def logits(parameters, tokens, n_heads):
    X = parameters["E"][tokens]
    for p in parameters["blocks"]:
        X = block(p, X, n_heads, "pre")
    return layer_norm(X, parameters["gain"], parameters["bias"], 1e-6) @ parameters["E"].T
