"""The sum below the fraction line is taken for a constant."""

CAUGHT_BY = "test_attention_weights"
HINT = "not all of the gradient gets through your weights"


def attention_weights(scores, mask=None):
    kept = scores if mask is None else scores.masked_fill(~mask, -math.inf)
    top = kept.detach().amax(dim=-1, keepdim=True)
    e = (kept - top.masked_fill(top.isinf(), 0)).exp()
    total = e.sum(dim=-1, keepdim=True).detach()
    return e / torch.where(total == 0, 1.0, total)
