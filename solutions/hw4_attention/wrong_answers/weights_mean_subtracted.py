"""Subtracts the mean of a row in place of its largest score."""

CAUGHT_BY = "test_attention_weights"
HINT = "subtract the largest, nothing else"


def attention_weights(scores, mask=None):
    mask = torch.ones_like(scores, dtype=torch.bool) if mask is None else mask.expand(scores.shape)
    kept = torch.where(mask, scores, 0.0)
    mean = kept.sum(-1, keepdim=True) / mask.sum(-1, keepdim=True).clamp(min=1)
    e = torch.where(mask, (kept - mean).exp(), 0.0)
    total = e.sum(-1, keepdim=True)
    return e / torch.where(total == 0, 1.0, total)
