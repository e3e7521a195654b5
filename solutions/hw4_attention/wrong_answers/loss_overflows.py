"""Probabilities first, their logarithm afterwards."""

CAUGHT_BY = "test_masked_nll"
HINT = "stay with logarithms"


def masked_nll(logits, targets):
    p = logits.softmax(dim=-1).gather(-1, targets[..., None]).squeeze(-1)
    return -p[targets != PAD].log().mean()
