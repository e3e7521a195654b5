"""The softmax over the queries."""

CAUGHT_BY = "test_attention_weights"
HINT = "your columns sum to one"


def attention_weights(scores, mask=None):
    if mask is None:
        return scores.softmax(dim=0)
    return scores.masked_fill(~mask, -math.inf).softmax(dim=-1).masked_fill(~mask, 0)
