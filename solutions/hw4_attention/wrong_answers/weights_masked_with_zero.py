"""A score of 0 is taken for none."""

CAUGHT_BY = "test_attention_weights"
HINT = "a masked score is -∞, not 0"


def attention_weights(scores, mask=None):
    return (scores if mask is None else scores * mask).softmax(dim=-1)
