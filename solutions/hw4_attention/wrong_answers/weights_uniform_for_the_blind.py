"""A large negative number: a query that may look at nothing looks everywhere."""

CAUGHT_BY = "test_attention_weights"
HINT = "may look at nothing"


def attention_weights(scores, mask=None):
    return (scores if mask is None else scores.masked_fill(~mask, -1e9)).softmax(dim=-1)
