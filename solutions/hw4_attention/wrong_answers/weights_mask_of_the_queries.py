"""A mask with one axis is taken for one of the queries, where there are as many queries as keys."""

CAUGHT_BY = "test_attention_weights"
HINT = "not exactly 0"


def attention_weights(scores, mask=None):
    if mask is None:
        return torch.softmax(scores, dim=-1)
    if mask.dim() == 1 and scores.dim() > 1 and len(mask) == scores.shape[-2]:
        mask = mask[:, None]
    mask = mask.expand(scores.shape)
    weights = torch.softmax(scores.masked_fill(~mask, -math.inf), dim=-1)
    return torch.where(mask.any(-1, keepdim=True), weights, 0.0)
