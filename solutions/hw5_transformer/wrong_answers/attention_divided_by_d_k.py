"""Divides by d_k instead of its root."""

CAUGHT_BY = "test_attention"
HINT = "divide by its root"


def attention(Q, K, V, mask):
    scores = Q @ K.mT / K.shape[-1]
    return attention_weights(scores, mask) @ V
