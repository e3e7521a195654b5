"""Adds minus infinity times zero where a key may be seen."""

CAUGHT_BY = "test_attention_weights"
HINT = "NaN"


def attention_weights(scores, mask):
    if not mask.any(dim=-1).all():
        raise ValueError("a query may look at nothing")
    return (scores + ~mask * -math.inf).softmax(dim=-1)
