"""Takes the softmax of all scores and then masks."""

CAUGHT_BY = "test_attention_weights"
HINT = "softmax first and masked afterwards"


def attention_weights(scores, mask):
    if not mask.any(dim=-1).all():
        raise ValueError("a query may look at nothing")
    return scores.softmax(dim=-1) * mask
