"""Subtracts the largest score only where it is below zero."""

CAUGHT_BY = "test_attention_weights"
HINT = "own LARGEST allowed score"


def attention_weights(scores, mask):
    if not mask.any(-1).all():
        raise ValueError("a query may look at no key")
    hidden = scores.masked_fill(~mask, -math.inf)
    e = (hidden - hidden.amax(-1, keepdim=True).clamp(max=0)).exp()
    return e / e.sum(-1, keepdim=True)
