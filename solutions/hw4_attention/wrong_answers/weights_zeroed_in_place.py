"""Right numbers, but the softmax's result is written over: autograd still needs it, and part 6 cannot train."""

CAUGHT_BY = "test_attention_weights"
HINT = "modified by an inplace operation"


def attention_weights(scores, mask=None):
    if mask is None:
        return scores.softmax(dim=-1)
    weights = scores.masked_fill(~mask, -math.inf).softmax(dim=-1)
    weights[~mask.expand(scores.shape)] = 0
    return weights
