"""A mask with one column is squeezed and then taken for one of the keys."""

CAUGHT_BY = "test_attention_layer"
HINT = "a mask of shape (4, 1)"


def attention_layer(Q, X, W_K, W_V, mask=None):
    E = Q @ (X @ W_K).mT / math.sqrt(Q.shape[-1])
    if mask is not None and mask.shape[-1] == 1 and X.shape[-2] > 1:
        mask = mask[..., 0]
    A = attention_weights(E, mask)
    return A @ (X @ W_V), A
