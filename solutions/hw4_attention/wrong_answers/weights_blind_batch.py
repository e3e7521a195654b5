"""Asks whether anything at all is masked altogether, and then gives zeros to everybody."""

CAUGHT_BY = "test_attention_weights"
HINT = "the one beside it"


def attention_weights(scores, mask=None):
    if mask is None:
        return scores.softmax(dim=-1)
    if not mask.any(dim=-1).all():
        return torch.zeros_like(scores)
    return scores.masked_fill(~mask, -math.inf).softmax(dim=-1)
