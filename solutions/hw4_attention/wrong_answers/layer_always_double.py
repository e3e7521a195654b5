"""Computes in double precision and does not go back."""

CAUGHT_BY = "test_attention_layer"
HINT = "single precision came in"


def attention_layer(Q, X, W_K, W_V, mask=None):
    Q, X, W_K, W_V = (t.double() for t in (Q, X, W_K, W_V))
    A = attention_weights(Q @ (X @ W_K).mT / math.sqrt(W_K.shape[1]), mask)
    return A @ (X @ W_V), A
