"""Normalises the columns of A."""

CAUGHT_BY = "test_attention_layer"
HINT = "the columns of A sum to one"


def attention_layer(Q, X, W_K, W_V, mask=None):
    E = Q @ (X @ W_K).mT / math.sqrt(Q.shape[-1])
    A = attention_weights(E.mT, None if mask is None else mask.mT).mT
    return A @ (X @ W_V), A
