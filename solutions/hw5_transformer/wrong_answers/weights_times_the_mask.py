"""Multiplies the scores by the mask: a hidden score becomes 0, and e^0 is 1."""

CAUGHT_BY = "test_attention_weights"
HINT = "may look at the first key only"


def attention_weights(scores, mask):
    if not mask.any(dim=-1).all():
        raise ValueError("a query may look at nothing")
    return (scores * mask).softmax(dim=-1)
