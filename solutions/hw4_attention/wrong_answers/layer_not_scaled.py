"""No division by √m."""

CAUGHT_BY = "test_attention_layer"
HINT = "the scores are not scaled"


def attention_layer(Q, X, W_K, W_V, mask=None):
    A = attention_weights(Q @ (X @ W_K).mT, mask)
    return A @ (X @ W_V), A
