"""Looks for keys that nobody sees instead of queries that see nothing."""

CAUGHT_BY = "test_attention_weights"
HINT = "is a ValueError"


def attention_weights(scores, mask):
    if mask.any() and not mask.any(dim=-2).any():
        raise ValueError("a key that nobody sees")
    return scores.masked_fill(~mask, -math.inf).softmax(dim=-1)
