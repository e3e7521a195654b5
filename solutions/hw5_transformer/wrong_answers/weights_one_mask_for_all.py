"""Uses the first sequence's mask for the whole batch."""

CAUGHT_BY = "test_attention_weights"
HINT = "another one for each sequence"


def attention_weights(scores, mask):
    if not mask.any(dim=-1).all():
        raise ValueError("a query may look at nothing")
    first = mask.reshape(-1, *mask.shape[-2:])[0]
    return scores.masked_fill(~first, -math.inf).softmax(dim=-1)
