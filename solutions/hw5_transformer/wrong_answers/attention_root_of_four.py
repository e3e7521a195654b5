"""The root of d_k of the example."""

CAUGHT_BY = "test_attention"
HINT = "of this one"


def attention(Q, K, V, mask):
    scores = Q @ K.mT / 2
    return attention_weights(scores, mask) @ V
