"""Every NaN becomes 0, also in a row where only a masked score was NaN."""

CAUGHT_BY = "test_attention_weights"
HINT = "it must not matter"


def attention_weights(scores, mask=None):
    if mask is None:
        return scores.softmax(dim=-1)
    hidden = torch.zeros_like(scores).masked_fill(~mask, -math.inf)
    return torch.nan_to_num((scores + hidden).softmax(dim=-1))
