"""Divides by the whole part of the root of d_k."""

CAUGHT_BY = "test_attention"
HINT = "not rounded"


def attention(Q, K, V, mask):
    return attention_weights(Q @ K.mT / math.isqrt(Q.shape[-1]), mask) @ V
