"""Lets 0/0 pass."""

CAUGHT_BY = "test_attention_weights"
HINT = "is a ValueError"


def attention_weights(scores, mask):
    return scores.masked_fill(~mask, -math.inf).softmax(dim=-1)
