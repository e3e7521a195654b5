"""The last LayerNorm without its gain and bias."""

CAUGHT_BY = "test_logits"
HINT = "a gain and a bias of its own"


def logits(parameters, tokens, n_heads):
    X = parameters["E"][tokens]
    for p in parameters["blocks"]:
        X = block(p, X, n_heads, "pre")
    return layer_norm(X, torch.ones_like(parameters["gain"]), torch.zeros_like(parameters["bias"])) @ parameters["E"].T
