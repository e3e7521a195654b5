"""Keeps scores between -50 and 50, to be safe from infinities."""

CAUGHT_BY = "test_attention"
HINT = "no score is cut off"


def attention(Q, K, V, mask):
    scores = (Q @ K.mT / math.sqrt(K.shape[-1])).clamp(-50, 50)
    return attention_weights(scores, mask) @ V
