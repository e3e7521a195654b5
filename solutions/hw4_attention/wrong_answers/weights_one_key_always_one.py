"""A single key has weight 1, also where the query may not look at it."""

CAUGHT_BY = "test_attention_weights"
HINT = "not exactly 0"


def attention_weights(scores, mask=None):
    if scores.shape[-1] == 1:
        return torch.ones_like(scores) + 0 * scores
    if mask is None:
        return scores.softmax(-1)
    mask = mask.expand(scores.shape)
    return scores.masked_fill(~mask, -math.inf).softmax(-1).masked_fill(~mask, 0)
