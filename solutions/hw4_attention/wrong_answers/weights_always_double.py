"""Computes in double precision and does not go back."""

CAUGHT_BY = "test_attention_weights"
HINT = "single precision have weights in single precision"


def attention_weights(scores, mask=None):
    scores = scores.double()
    if mask is None:
        return scores.softmax(dim=-1)
    return scores.masked_fill(~mask, -math.inf).softmax(dim=-1).masked_fill(~mask, 0)
