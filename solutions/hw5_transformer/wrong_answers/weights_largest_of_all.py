"""Subtracts the largest score, forbidden ones included, so that all that is allowed underflows."""

CAUGHT_BY = "test_attention_weights"
HINT = "the largest ALLOWED score"


def attention_weights(scores, mask):
    if not mask.any(dim=-1).all():
        raise ValueError("a query may look at nothing")
    e = (scores - scores.amax(dim=-1, keepdim=True)).exp() * mask
    return e / e.sum(dim=-1, keepdim=True)
