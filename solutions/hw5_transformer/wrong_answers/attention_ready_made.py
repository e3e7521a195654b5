"""Calls torch's own scaled_dot_product_attention."""

CAUGHT_BY = "test_attention"
HINT = "calls a ready-made function"


def attention(Q, K, V, mask):
    return torch.nn.functional.scaled_dot_product_attention(Q, K, V, attn_mask=mask)
