"""Cuts a text into windows of 64 tokens, none of which sees the one before."""

CAUGHT_BY = "test_logits"
HINT = "it looks back at all of them"


def logits(parameters, tokens, n_heads):
    found = []
    for window in tokens.split(64, dim=1):
        X = parameters["E"][window]
        for p in parameters["blocks"]:
            X = block(p, X, n_heads, "pre")
        found.append(layer_norm(X, parameters["gain"], parameters["bias"]) @ parameters["E"].T)
    return torch.cat(found, dim=1)
