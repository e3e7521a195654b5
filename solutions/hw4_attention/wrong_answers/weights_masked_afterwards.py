"""Zeroes weights after the softmax."""

CAUGHT_BY = "test_attention_weights"
HINT = "do not sum to one"


def attention_weights(scores, mask=None):
    weights = scores.softmax(dim=-1)
    return weights if mask is None else weights * mask
