"""The sum over the tokens."""

CAUGHT_BY = "test_masked_nll"
HINT = "that is the sum"


def masked_nll(logits, targets):
    return nn.functional.cross_entropy(logits.flatten(0, 1), targets.flatten(), ignore_index=PAD, reduction="sum")
