"""Remembers the keys of inputs of each size, as if they were always those of the same sentence."""

CAUGHT_BY = "test_attention_layer"
HINT = "and take nothing over from an earlier call"


keys = {}


def attention_layer(Q, X, W_K, W_V, mask=None):
    sizes = X.shape, W_K.shape, X.dtype
    if sizes not in keys:
        keys[sizes] = X @ W_K
    A = attention_weights(Q @ keys[sizes].mT / math.sqrt(Q.shape[-1]), mask)
    return A @ (X @ W_V), A
