"""With a mask the weights are in single precision, without one as precise as the scores."""

CAUGHT_BY = "test_attention_weights"
HINT = "scores in double precision have weights in double precision, with a mask and without"


def attention_weights(scores, mask=None):
    if mask is None:
        return scores.softmax(dim=-1)
    return scores.masked_fill(~mask, -math.inf).softmax(dim=-1).masked_fill(~mask, 0).float()
