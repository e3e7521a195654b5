"""Subtracts the largest score of the whole batch; rows far below it are taken for rows that may look at nothing."""

CAUGHT_BY = "test_attention_weights"
HINT = "subtract from each row its OWN largest"


def attention_weights(scores, mask=None):
    if mask is None:
        return scores.softmax(dim=-1)
    kept = scores.masked_fill(~mask, -math.inf)
    e = (kept - kept.max()).exp()
    return torch.nan_to_num(e / e.sum(dim=-1, keepdim=True))
