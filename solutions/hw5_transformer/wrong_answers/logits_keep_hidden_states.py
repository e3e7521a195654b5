"""Keeps the last hidden states in the dictionary of the parameters."""

CAUGHT_BY = "test_logits"
HINT = "changed the parameters"


def logits(parameters, tokens, n_heads):
    E = parameters["E"]
    x = E[tokens]
    for p in parameters["blocks"]:
        x = block(p, x, n_heads, "pre")
    parameters["h"] = x.detach()
    return layer_norm(x, parameters["gain"], parameters["bias"]) @ E.T
