"""The softmax as the formula has it."""

CAUGHT_BY = "test_attention_weights"
HINT = "subtract the largest first"


def attention_weights(scores, mask=None):
    e = scores.exp()
    if mask is not None:
        e = torch.where(mask, e, torch.zeros_like(e))
    total = e.sum(dim=-1, keepdim=True)
    return e / total.where(total > 0, torch.ones_like(total))
