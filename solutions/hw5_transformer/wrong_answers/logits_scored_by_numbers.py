"""Takes the output embeddings as numbers, so that only the input side of E learns."""

CAUGHT_BY = "test_logits"
HINT = "but their gradients are wrong"


def logits(parameters, tokens, n_heads):
    X = parameters["E"][tokens]
    for p in parameters["blocks"]:
        X = block(p, X, n_heads, "pre")
    return layer_norm(X, parameters["gain"], parameters["bias"]) @ parameters["E"].detach().T
