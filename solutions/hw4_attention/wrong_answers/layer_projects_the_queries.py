"""Multiplies the queries with W_K as well where that works."""

CAUGHT_BY = "test_attention_layer"
HINT = "E is Q Kᵀ with K = X W_K"


def attention_layer(Q, X, W_K, W_V, mask=None):
    K, V = X @ W_K, X @ W_V
    if W_K.shape[0] == W_K.shape[1] and W_K.shape[0] > 1:
        Q = Q @ W_K
    A = attention_weights(Q @ K.mT / math.sqrt(len(W_K.T)), mask)
    return A @ V, A
