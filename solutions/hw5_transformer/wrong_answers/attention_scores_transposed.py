"""Multiplies keys by queries, so that the scores are transposed."""

CAUGHT_BY = "test_attention"
HINT = "the scores are transposed"


def attention(Q, K, V, mask):
    return attention_weights(K @ Q.mT / math.sqrt(Q.shape[-1]), mask) @ V
