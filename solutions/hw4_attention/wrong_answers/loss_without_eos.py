"""Leaves the end mark out as well, if there are letters."""

CAUGHT_BY = "test_masked_nll"
HINT = "wrong loss for"


def masked_nll(logits, targets):
    letters = targets > EOS
    real = letters if letters.sum() > 1 else targets != PAD
    return nn.functional.cross_entropy(logits[real], targets[real])
