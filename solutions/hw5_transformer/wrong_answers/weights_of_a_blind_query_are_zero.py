"""Gives a query that may look at nothing weights of zero."""

CAUGHT_BY = "test_attention_weights"
HINT = "is a ValueError"


def attention_weights(scores, mask):
    return scores.masked_fill(~mask, -math.inf).softmax(dim=-1).nan_to_num()
