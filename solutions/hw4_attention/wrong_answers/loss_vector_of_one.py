"""The loss with an axis, shape (1,)."""

CAUGHT_BY = "test_masked_nll"
HINT = "no axes was asked for"


def masked_nll(logits, targets):
    return nn.functional.cross_entropy(logits.flatten(0, 1), targets.flatten(), ignore_index=PAD).reshape(1)
