"""Writes the softmax once more, without subtracting: overflows for large scores."""

CAUGHT_BY = "test_attention"
HINT = "leave the softmax to attention_weights"


def attention(Q, K, V, mask):
    e = (Q @ K.mT / math.sqrt(Q.shape[-1])).exp() * mask
    return e / e.sum(-1, keepdim=True) @ V
