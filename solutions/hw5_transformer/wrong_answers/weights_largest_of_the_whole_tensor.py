"""Subtracts the largest allowed score of all rows: in the others the exponentials are all 0."""

CAUGHT_BY = "test_attention_weights"
HINT = "subtract from each row its own"


def attention_weights(scores, mask):
    if not mask.any(dim=-1).all():
        raise ValueError("mask must let every query look at some key")
    allowed = scores.masked_fill(~mask, -math.inf)
    e = (allowed - allowed.max()).exp()
    return e / e.sum(dim=-1, keepdim=True)
