"""The loss is cut off from what it was computed from."""

CAUGHT_BY = "test_masked_nll"
HINT = "no gradient gets through your loss"


def masked_nll(logits, targets):
    return nn.functional.cross_entropy(logits.detach().flatten(0, 1), targets.flatten(), ignore_index=PAD)
