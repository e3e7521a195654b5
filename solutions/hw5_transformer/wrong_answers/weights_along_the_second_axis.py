"""Takes the softmax along the second axis, which is the last one in matrices only."""

CAUGHT_BY = "test_attention_weights"
HINT = "the LAST axis"


def attention_weights(scores, mask):
    if not mask.any(-1).all():
        raise ValueError("a query may look at nothing")
    return scores.masked_fill(~mask, -math.inf).softmax(dim=1)
