"""Detaches the embeddings of one text, since training has batches."""

CAUGHT_BY = "test_logits"
HINT = "gradients are wrong for tokens"


def logits(parameters, tokens, n_heads):
    E = parameters["E"]
    X = E[tokens]
    if tokens.shape[0] == 1:
        X = X.detach()
    for p in parameters["blocks"]:
        X = block(p, X, n_heads, "pre")
    return layer_norm(X, parameters["gain"], parameters["bias"]) @ E.T
