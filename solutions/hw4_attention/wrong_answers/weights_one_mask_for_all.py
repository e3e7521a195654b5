"""Broadcasts the mask from the left, as no library does."""

CAUGHT_BY = "test_attention_weights"
HINT = "not exactly 0"


def attention_weights(scores, mask=None):
    if mask is None:
        return scores.softmax(dim=-1)
    while mask.ndim < scores.ndim:
        mask = mask.unsqueeze(-1) if mask.shape[0] == scores.shape[0] else mask.unsqueeze(0)
    mask = mask.expand(scores.shape)
    return scores.masked_fill(~mask, -math.inf).softmax(dim=-1).masked_fill(~mask, 0)
