"""Zeroes weights after the softmax and divides by what is left."""

CAUGHT_BY = "test_attention_weights"
HINT = "what is renormalised after it is 0/0"


def attention_weights(scores, mask=None):
    if mask is None:
        return scores.softmax(dim=-1)
    weights = scores.softmax(dim=-1) * mask
    return torch.nan_to_num(weights / weights.sum(dim=-1, keepdim=True))
