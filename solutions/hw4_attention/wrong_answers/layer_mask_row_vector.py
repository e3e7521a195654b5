"""A mask with one axis is taken for one of the queries."""

CAUGHT_BY = "test_attention_layer"
HINT = "a mask of shape (4,)"


def attention_layer(Q, X, W_K, W_V, mask=None):
    E = Q @ (X @ W_K).mT / math.sqrt(Q.shape[-1])
    if mask is not None and mask.ndim == 1:
        mask = mask[:, None]
    A = attention_weights(E, mask)
    return A @ (X @ W_V), A
