"""Makes its own causal mask unless the one given is full."""

CAUGHT_BY = "test_attention"
HINT = "a mask as in 1.2"


def attention(Q, K, V, mask):
    S = Q @ K.mT / math.sqrt(Q.shape[-1])
    if not mask.all():
        mask = causal_mask(Q.shape[-2], K.shape[-2])
    return attention_weights(S, mask) @ V
