"""The loss as a float: nothing can be trained with it."""

CAUGHT_BY = "test_masked_nll"
HINT = "no axes was asked for"


def masked_nll(logits, targets):
    return nn.functional.cross_entropy(logits.flatten(0, 1), targets.flatten(), ignore_index=PAD).item()
