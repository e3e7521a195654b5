"""Subtracts the largest score of the sentence in place of the query's."""

CAUGHT_BY = "test_attention_weights"
HINT = "subtract from each row its OWN largest"


def attention_weights(scores, mask=None):
    kept = scores if mask is None else scores.masked_fill(~mask, -math.inf)
    top = kept.amax(dim=-1, keepdim=True) if kept.ndim < 3 else kept.amax(dim=(-2, -1), keepdim=True)
    e = torch.nan_to_num((kept - top).exp())
    total = e.sum(dim=-1, keepdim=True)
    return e / torch.where(total == 0, 1.0, total)
