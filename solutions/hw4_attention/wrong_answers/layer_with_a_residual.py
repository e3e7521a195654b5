"""Adds the queries to the outputs where the shapes allow it."""

CAUGHT_BY = "test_attention_layer"
HINT = "Y = A V with V = X W_V"


def attention_layer(Q, X, W_K, W_V, mask=None):
    K, V = X @ W_K, X @ W_V
    A = attention_weights(Q @ K.mT / math.sqrt(len(W_K.T)), mask)
    Y = A @ V
    return (Y + Q if Y.shape == Q.shape else Y), A
