"""Divides by the root of the number of keys, which in the visible example gives another number only by chance."""

CAUGHT_BY = "test_attention"
HINT = "scores 0 and log 3"


def attention(Q, K, V, mask):
    scores = Q @ K.mT / math.sqrt(K.shape[-2])
    return attention_weights(scores, mask) @ V
