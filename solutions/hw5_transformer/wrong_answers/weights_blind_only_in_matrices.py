"""Looks for queries that see no key in whole matrices only, not in a mask of one row or one column."""

CAUGHT_BY = "test_attention_weights"
HINT = "anywhere in the batch"


def attention_weights(scores, mask):
    if mask.dim() > 1 and mask.shape[-1] > 1 and not mask.any(dim=-1).all():
        raise ValueError("blind")
    return scores.masked_fill(~mask, -math.inf).softmax(dim=-1)
