"""Averages the inputs where V may as well be X."""

CAUGHT_BY = "test_attention_layer"
HINT = "wrong outputs Y"


def attention_layer(Q, X, W_K, W_V, mask=None):
    A = attention_weights(Q @ (X @ W_K).mT / math.sqrt(Q.shape[-1]), mask)
    return A @ (X if X.shape[-1] == W_V.shape[1] else X @ W_V), A
