"""Subtracts from a row the largest score that this query has in any text or head."""

CAUGHT_BY = "test_attention_weights"
HINT = "own LARGEST allowed score"


def attention_weights(scores, mask):
    if not mask.any(dim=-1).all():
        raise ValueError("blind")
    s = scores.masked_fill(~mask, -math.inf)
    m = s.amax(dim=tuple(i for i in range(s.dim()) if i != s.dim() - 2), keepdim=True)
    e = (s - m).exp()
    return e / e.sum(-1, keepdim=True)
