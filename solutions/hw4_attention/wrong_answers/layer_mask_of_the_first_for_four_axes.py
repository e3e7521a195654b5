"""With four axes the mask of the first sentence is everybody's."""

CAUGHT_BY = "test_attention_layer"
HINT = "wrong weights A"


def attention_layer(Q, X, W_K, W_V, mask=None):
    if mask is not None and mask.ndim == 4:
        mask = mask[:1]
    A = attention_weights(Q @ (X @ W_K).mT / math.sqrt(Q.shape[-1]), mask)
    return A @ (X @ W_V), A
