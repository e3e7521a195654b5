"""axis 1 where it should be the last: right for matrices only."""

CAUGHT_BY = "test_attention_weights"
HINT = "softmax goes over axis 1"


def attention_weights(scores, mask=None):
    axis = min(1, scores.ndim - 1)
    if mask is None:
        return scores.softmax(dim=axis)
    return scores.masked_fill(~mask, -math.inf).softmax(dim=axis).masked_fill(~mask, 0)
