"""0/0 for a query that may look at nothing."""

CAUGHT_BY = "test_attention_weights"
HINT = "may look at nothing"


def attention_weights(scores, mask=None):
    return (scores if mask is None else scores.masked_fill(~mask, -math.inf)).softmax(dim=-1)
