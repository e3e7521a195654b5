"""Rows of nothing are looked for along the first axis only: with more axes than two they stay NaN."""

CAUGHT_BY = "test_attention_weights"
HINT = "however many axes"


def attention_weights(scores, mask=None):
    if mask is None:
        return scores.softmax(-1)
    mask = mask.expand(scores.shape)
    weights = scores.masked_fill(~mask, -math.inf).softmax(-1).clone()
    for i in range(len(mask)):
        if not mask[i].any():
            weights[i] = 0
    return weights
