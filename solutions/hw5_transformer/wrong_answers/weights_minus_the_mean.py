"""Subtracts the row's mean allowed score."""

CAUGHT_BY = "test_attention_weights"
HINT = "own LARGEST allowed score"


def attention_weights(scores, mask):
    if not mask.any(-1).all():
        raise ValueError("a query may look at no key")
    mean = scores.masked_fill(~mask, 0.0).sum(-1, keepdim=True) / mask.sum(-1, keepdim=True)
    e = (scores - mean).masked_fill(~mask, -math.inf).exp()
    return e / e.sum(-1, keepdim=True)
