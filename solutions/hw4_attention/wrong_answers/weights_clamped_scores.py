"""Scores are cut off at 10 000 against overflow."""

CAUGHT_BY = "test_attention_weights"
HINT = "scores of 2e11 and 1e12"


def attention_weights(scores, mask=None):
    scores = scores.clamp(-1e4, 1e4)
    if mask is None:
        return scores.softmax(dim=-1)
    return scores.masked_fill(~mask, -math.inf).softmax(dim=-1).masked_fill(~mask, 0)
