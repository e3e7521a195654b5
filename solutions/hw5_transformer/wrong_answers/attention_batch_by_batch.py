"""Goes through the axes in front one by one and gives each the whole mask: wrong for a mask that differs between sequences."""

CAUGHT_BY = "test_attention"
HINT = "a mask as in 1.2"


def attention(Q, K, V, mask):
    if Q.dim() > 2:
        return torch.stack([attention(q, k, v, mask) for q, k, v in zip(Q, K, V, strict=True)])
    return attention_weights(Q @ K.T / math.sqrt(Q.shape[-1]), mask) @ V
