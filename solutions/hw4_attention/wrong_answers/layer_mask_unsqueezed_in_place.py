"""Gives the mask an axis for the batch with unsqueeze_, and it keeps it."""

CAUGHT_BY = "test_attention_layer"
HINT = "changed the mask that it was given"


def attention_layer(Q, X, W_K, W_V, mask=None):
    A = Q @ (X @ W_K).mT / math.sqrt(Q.shape[-1])
    A = attention_weights(A, mask)
    if mask is not None:
        mask.unsqueeze_(0)
    return A @ (X @ W_V), A
