"""Adds a small number to the sum that divides."""

CAUGHT_BY = "test_attention_weights"
HINT = "nothing is to be added to the sum"


def attention_weights(scores, mask):
    if not mask.any(-1).all():
        raise ValueError("a query may look at nothing")
    scores = scores.masked_fill(~mask, -math.inf)
    e = (scores - scores.amax(-1, keepdim=True)).exp()
    return e / (e.sum(-1, keepdim=True) + 1e-5)
