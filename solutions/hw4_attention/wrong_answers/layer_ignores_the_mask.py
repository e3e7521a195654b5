"""Never looks at the mask."""

CAUGHT_BY = "test_attention_layer"
HINT = "it has no effect on them"


def attention_layer(Q, X, W_K, W_V, mask=None):
    A = attention_weights(Q @ (X @ W_K).mT / math.sqrt(Q.shape[-1]))
    return A @ (X @ W_V), A
