"""Remembers the first mask of each size."""

CAUGHT_BY = "test_attention_layer"
HINT = "right in one call, wrong in the next"


masks = {}


def attention_layer(Q, X, W_K, W_V, mask=None):
    if mask is not None:
        mask = masks.setdefault(mask.shape, mask.clone())
    A = attention_weights(Q @ (X @ W_K).mT / math.sqrt(Q.shape[-1]), mask)
    return A @ (X @ W_V), A
