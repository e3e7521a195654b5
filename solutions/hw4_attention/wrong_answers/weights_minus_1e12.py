"""-1e12 for -∞: scores may be as small as that."""

CAUGHT_BY = "test_attention_weights"
HINT = "not a large number like -1e12"


def attention_weights(scores, mask=None):
    if mask is None:
        return scores.softmax(dim=-1)
    return scores.masked_fill(~mask, -1e12).softmax(dim=-1) * mask
