"""Chooses between the exponential and 0: right forwards, NaN backwards."""

CAUGHT_BY = "test_attention_weights"
HINT = "but not their gradients"


def attention_weights(scores, mask):
    mask = mask.expand(scores.shape)
    if not mask.any(-1).all():
        raise ValueError("blind")
    top = scores.masked_fill(~mask, -math.inf).amax(-1, keepdim=True).detach()
    e = torch.where(mask, torch.exp(scores - top), torch.zeros_like(scores))
    return e / e.sum(-1, keepdim=True)
