"""Writes the minus infinity into the scores that it was given."""

CAUGHT_BY = "test_attention_weights"
HINT = "changed the scores"


def attention_weights(scores, mask):
    if not mask.any(dim=-1).all():
        raise ValueError("a query may look at nothing")
    return scores.masked_fill_(~mask, -math.inf).softmax(dim=-1)
