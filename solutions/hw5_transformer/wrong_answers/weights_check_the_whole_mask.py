"""Complains only where nobody may look at anything."""

CAUGHT_BY = "test_attention_weights"
HINT = "anywhere in the batch"


def attention_weights(scores, mask):
    if not mask.any():
        raise ValueError("nobody may look at anything")
    return scores.masked_fill(~mask, -math.inf).softmax(dim=-1)
