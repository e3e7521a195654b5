"""Divides by the root of the inputs' dimension, or of the number of queries where that is 2."""

CAUGHT_BY = "test_attention_layer"
HINT = "scale by √m"


def attention_layer(Q, X, W_K, W_V, mask=None):
    size = X.shape[-1] if X.shape[-1] != 2 or Q.ndim > 2 else Q.shape[-1]
    A = attention_weights(Q @ (X @ W_K).mT / math.sqrt(size), mask)
    return A @ (X @ W_V), A
