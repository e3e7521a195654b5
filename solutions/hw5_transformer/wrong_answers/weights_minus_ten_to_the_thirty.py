"""Hides a score with a number that looks like minus infinity and is none."""

CAUGHT_BY = "test_attention_weights"
HINT = "a finite stand-in"


def attention_weights(scores, mask):
    if not mask.any(dim=-1).all():
        raise ValueError("mask must let every query look at some key")
    return scores.masked_fill(~mask, -1e30).softmax(dim=-1)
