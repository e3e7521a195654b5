"""Gives masked scores the number -10 000, with a softmax of its own, and remembers the queries that see nothing."""

CAUGHT_BY = "test_attention_layer"
HINT = "what stands at a masked place must not matter"


def attention_layer(Q, X, W_K, W_V, mask=None):
    E = Q @ (X @ W_K).mT / Q.shape[-1] ** 0.5
    if mask is None:
        A = E.softmax(dim=-1)
    else:
        A = E.masked_fill(~mask, -1e4).softmax(dim=-1) * mask.any(dim=-1, keepdim=True)
    return A @ (X @ W_V), A
