"""X W_Kᵀ where the shapes allow it."""

CAUGHT_BY = "test_attention_layer"
HINT = "wrong weights A"


def attention_layer(Q, X, W_K, W_V, mask=None):
    K = X @ (W_K.T if W_K.shape[0] == W_K.shape[1] else W_K)
    A = attention_weights(Q @ K.mT / math.sqrt(Q.shape[-1]), mask)
    return A @ (X @ W_V), A
