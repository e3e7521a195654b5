"""Remembers the first mask of each size."""

CAUGHT_BY = "test_attention_weights"
HINT = "these are the weights of an earlier call"


masks = {}


def attention_weights(scores, mask=None):
    if mask is None:
        return scores.softmax(dim=-1)
    mask = masks.setdefault((scores.shape, mask.shape), mask.clone())
    return scores.masked_fill(~mask, -math.inf).softmax(dim=-1).masked_fill(~mask, 0)
