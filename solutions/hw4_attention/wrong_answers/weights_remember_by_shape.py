"""Remembers the weights of scores of each size."""

CAUGHT_BY = "test_attention_weights"
HINT = "these are the weights of an earlier call"


known = {}


def attention_weights(scores, mask=None):
    sizes = scores.shape, scores.dtype, mask is None, scores.requires_grad
    if sizes not in known:
        hidden = torch.zeros_like(scores, dtype=torch.bool) if mask is None else ~mask
        known[sizes] = scores.masked_fill(hidden, -math.inf).softmax(dim=-1).masked_fill(hidden, 0)
    return known[sizes]
