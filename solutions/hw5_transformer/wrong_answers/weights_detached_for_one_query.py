"""Detaches the scores of a single query, since that is generation, not training."""

CAUGHT_BY = "test_attention_weights"
HINT = "one query: torch cannot differentiate"


def attention_weights(scores, mask):
    if not mask.any(dim=-1).all():
        raise ValueError("blind")
    if scores.shape[-2] == 1:
        scores = scores.detach()
    return scores.masked_fill(~mask, -math.inf).softmax(dim=-1)
