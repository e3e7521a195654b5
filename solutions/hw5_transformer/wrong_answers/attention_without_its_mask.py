"""Lets every query look everywhere."""

CAUGHT_BY = "test_attention"
HINT = "with the causal mask"


def attention(Q, K, V, mask):
    scores = Q @ K.mT / math.sqrt(K.shape[-1])
    return attention_weights(scores, torch.ones_like(mask)) @ V
