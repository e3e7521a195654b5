"""Detaches the keys where there is one axis in front."""

CAUGHT_BY = "test_attention"
HINT = "gradients are wrong, and"


def attention(Q, K, V, mask):
    if Q.dim() == 3:
        K = K.detach()
    return attention_weights(Q @ K.mT / math.sqrt(K.shape[-1]), mask) @ V
