"""Remembers the keys of inputs of each size, where no gradient is asked for."""

CAUGHT_BY = "test_attention_layer"
HINT = "right in one call, wrong in the next"


keys = {}


def attention_layer(Q, X, W_K, W_V, mask=None):
    K = X @ W_K
    if not K.requires_grad:
        K = keys.setdefault((X.shape, W_K.shape, X.dtype), K)
    A = attention_weights(Q @ K.mT / math.sqrt(Q.shape[-1]), mask)
    return A @ (X @ W_V), A
