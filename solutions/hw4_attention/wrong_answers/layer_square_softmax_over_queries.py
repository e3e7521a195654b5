"""Puts queries and keys the wrong way round where there are as many of both."""

CAUGHT_BY = "test_attention_layer"
HINT = "wrong weights A"


def attention_layer(Q, X, W_K, W_V, mask=None):
    E = Q @ (X @ W_K).mT / math.sqrt(Q.shape[-1])
    A = attention_weights(E.mT if E.shape[-1] == E.shape[-2] else E, mask)
    return A @ (X @ W_V), A
