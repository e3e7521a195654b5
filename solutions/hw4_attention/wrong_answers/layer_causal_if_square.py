"""Lets no query look ahead where there are as many queries as inputs."""

CAUGHT_BY = "test_attention_layer"
HINT = "no query looks at an input behind its own place"


def attention_layer(Q, X, W_K, W_V, mask=None):
    K, V = X @ W_K, X @ W_V
    if mask is None and Q.shape[-2] == X.shape[-2]:
        mask = causal_mask(Q.shape[-2], X.shape[-2])
    A = attention_weights(Q @ K.mT / math.sqrt(len(W_K.T)), mask)
    return A @ V, A
