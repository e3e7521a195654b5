"""Masks with -1e9, and takes care of the rows of nothing."""

CAUGHT_BY = "test_attention_weights"
HINT = "not a large number like -1e9"


def attention_weights(scores, mask=None):
    if mask is None:
        return scores.softmax(dim=-1)
    return scores.masked_fill(~mask, -1e9).softmax(dim=-1) * mask
