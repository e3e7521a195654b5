"""Writes -∞ into the scores that it was given."""

CAUGHT_BY = "test_attention_weights"
HINT = "changed what it was given"


def attention_weights(scores, mask=None):
    if mask is None:
        return scores.softmax(dim=-1)
    scores[~mask.expand(scores.shape)] = -math.inf
    return scores.softmax(dim=-1).masked_fill(~mask, 0)
