"""Hides a score by subtracting a number."""

CAUGHT_BY = "test_attention_weights"
HINT = "allowed scores far below zero"


def attention_weights(scores, mask):
    if not mask.any(dim=-1).all():
        raise ValueError("a query may look at nothing")
    return (scores.clamp(max=1000) - 10_000 * ~mask).softmax(dim=-1)
