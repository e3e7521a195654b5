"""Takes the first of the masks (h, T, T) for all heads."""

CAUGHT_BY = "test_attention_weights"
HINT = "wrong for a mask of shape (2, 4, 4)"


def attention_weights(scores, mask):
    if mask.dim() == 3:
        mask = mask[0]
    if not mask.any(-1).all():
        raise ValueError("a query may look at no key")
    return scores.masked_fill(~mask, -math.inf).softmax(-1)
