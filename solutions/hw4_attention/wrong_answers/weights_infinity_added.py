"""Adds -∞ to what is masked: NaN and +∞ stay what they are."""

CAUGHT_BY = "test_attention_weights"
HINT = "it must not matter"


def attention_weights(scores, mask=None):
    if mask is None:
        return scores.softmax(dim=-1)
    bias = torch.zeros_like(scores).masked_fill(~mask, -math.inf)
    weights = (scores + bias).softmax(dim=-1)
    return torch.where(mask.any(dim=-1, keepdim=True), weights, torch.zeros_like(weights))
