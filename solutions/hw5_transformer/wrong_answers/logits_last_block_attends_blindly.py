"""Cuts the queries and keys of the last block off from what is learned."""

CAUGHT_BY = "test_logits"
HINT = "their gradients are wrong"


def logits(parameters, tokens, n_heads):
    X = parameters["E"][tokens]
    *others, last = parameters["blocks"] or [None]
    for p in others:
        X = block(p, X, n_heads, "pre")
    if last is not None:
        X = block(last | {name: last[name].detach() for name in ("W_q", "W_k")}, X, n_heads, "pre")
    return layer_norm(X, parameters["gain"], parameters["bias"]) @ parameters["E"].T
