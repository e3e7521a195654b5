"""One mask for the whole batch: the first sentence's."""

CAUGHT_BY = "test_attention_layer"
HINT = "a mask of shape"


def attention_layer(Q, X, W_K, W_V, mask=None):
    if mask is not None and mask.ndim == 3:
        mask = mask[0]
    A = attention_weights(Q @ (X @ W_K).mT / math.sqrt(Q.shape[-1]), mask)
    return A @ (X @ W_V), A
