"""Gives the inputs an order: the layer has none."""

CAUGHT_BY = "test_attention_layer"
HINT = "wrong weights A"


def attention_layer(Q, X, W_K, W_V, mask=None):
    E = Q @ (X @ W_K).mT / math.sqrt(Q.shape[-1])
    if X.shape[-2] == 5:
        E = E - 0.1 * torch.arange(5)
    A = attention_weights(E, mask)
    return A @ (X @ W_V), A
