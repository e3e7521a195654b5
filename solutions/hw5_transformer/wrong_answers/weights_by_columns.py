"""Softmax over the queries."""

CAUGHT_BY = "test_attention_weights"
HINT = "columns sum to one"


def attention_weights(scores, mask):
    if not mask.any(dim=-1).all():
        raise ValueError("a query may look at nothing")
    return scores.masked_fill(~mask, -math.inf).softmax(dim=-2)
