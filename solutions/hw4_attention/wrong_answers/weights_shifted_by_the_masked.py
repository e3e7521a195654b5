"""Subtracts the largest score of all, which may be a masked one."""

CAUGHT_BY = "test_attention_weights"
HINT = "leaves these nothing"


def attention_weights(scores, mask=None):
    if mask is None:
        return scores.softmax(dim=-1)
    e = (scores - scores.max(dim=-1, keepdim=True).values).exp() * mask
    total = e.sum(dim=-1, keepdim=True)
    return e / total.where(total > 0, torch.ones_like(total))
