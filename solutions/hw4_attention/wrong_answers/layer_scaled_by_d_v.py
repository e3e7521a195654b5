"""Divides by the root of the values' dimension where a batch is given."""

CAUGHT_BY = "test_attention_layer"
HINT = "scale by √m"


def attention_layer(Q, X, W_K, W_V, mask=None):
    size = W_V.shape[1] if Q.ndim > 2 else Q.shape[-1]
    A = attention_weights(Q @ (X @ W_K).mT / math.sqrt(size), mask)
    return A @ (X @ W_V), A
