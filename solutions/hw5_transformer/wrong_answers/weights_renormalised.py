"""Masks after the softmax and divides by what is left."""

CAUGHT_BY = "test_attention_weights"
HINT = "the largest ALLOWED score"


def attention_weights(scores, mask):
    if not mask.any(dim=-1).all():
        raise ValueError("a query may look at nothing")
    weights = scores.softmax(dim=-1) * mask
    return weights / weights.sum(dim=-1, keepdim=True)
