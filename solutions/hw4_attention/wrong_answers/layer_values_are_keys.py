"""Averages the keys where these have the dimension of the values."""

CAUGHT_BY = "test_attention_layer"
HINT = "wrong outputs Y"


def attention_layer(Q, X, W_K, W_V, mask=None):
    K = X @ W_K
    A = attention_weights(Q @ K.mT / math.sqrt(Q.shape[-1]), mask)
    return A @ (K if W_K.shape == W_V.shape else X @ W_V), A
