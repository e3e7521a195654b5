"""Flattens the axes in front and uses the first of the masks for all."""

CAUGHT_BY = "test_attention"
HINT = "a mask as in 1.2"


def attention(Q, K, V, mask):
    mask = mask.reshape(-1, *mask.shape[-2:])[0]
    return attention_weights(Q @ K.mT / math.sqrt(Q.shape[-1]), mask) @ V
