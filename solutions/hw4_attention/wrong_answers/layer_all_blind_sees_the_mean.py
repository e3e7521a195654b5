"""Takes a mask that is False everywhere for none at all."""

CAUGHT_BY = "test_attention_layer"
HINT = "they are those without a mask"


def attention_layer(Q, X, W_K, W_V, mask=None):
    E = Q @ (X @ W_K).mT / Q.shape[-1] ** 0.5
    A = attention_weights(E) if mask is None or not mask.any() else attention_weights(E, mask)
    return A @ (X @ W_V), A
