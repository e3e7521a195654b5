"""Forgets the root of d_k."""

CAUGHT_BY = "test_attention"
HINT = "not divided by the root"


def attention(Q, K, V, mask):
    scores = Q @ K.mT
    return attention_weights(scores, mask) @ V
