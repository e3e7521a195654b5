"""Hides a score with a large negative number."""

CAUGHT_BY = "test_attention_weights"
HINT = "a finite stand-in"


def attention_weights(scores, mask):
    if not mask.any(dim=-1).all():
        raise ValueError("a query may look at nothing")
    return scores.masked_fill(~mask, -1e9).softmax(dim=-1)
