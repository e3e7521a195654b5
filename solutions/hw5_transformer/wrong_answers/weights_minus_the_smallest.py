"""Subtracts the smallest allowed score of the row: exponentials of a wide row overflow."""

CAUGHT_BY = "test_attention_weights"
HINT = "own LARGEST allowed score"


def attention_weights(scores, mask):
    if not mask.any(-1).all():
        raise ValueError("a query may look at no key")
    smallest = scores.masked_fill(~mask, math.inf).amin(-1, keepdim=True)
    e = (scores - smallest).masked_fill(~mask, -math.inf).exp()
    return e / e.sum(-1, keepdim=True)
