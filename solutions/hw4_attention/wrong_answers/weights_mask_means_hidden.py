"""True is read as masked."""

CAUGHT_BY = "test_attention_weights"
HINT = "True means that the query MAY look"


def attention_weights(scores, mask=None):
    return (scores if mask is None else scores.masked_fill(mask, -math.inf)).softmax(dim=-1)
