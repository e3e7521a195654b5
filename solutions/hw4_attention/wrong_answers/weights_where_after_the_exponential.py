"""Chooses between the exponential and 0: right forwards, NaN backwards."""

CAUGHT_BY = "test_attention_weights"
HINT = "the gradient is not"


def attention_weights(scores, mask=None):
    if mask is None:
        mask = torch.ones_like(scores, dtype=torch.bool)
    mask = mask.expand(scores.shape)
    top = scores.masked_fill(~mask, -math.inf).amax(-1, keepdim=True)
    top = torch.where(top.isinf(), torch.zeros_like(top), top).detach()
    e = torch.where(mask, torch.exp(scores - top), torch.zeros_like(scores))
    total = e.sum(-1, keepdim=True)
    return e / torch.where(total == 0, torch.ones_like(total), total)
