"""PAD is a token like any other."""

CAUGHT_BY = "test_masked_nll"
HINT = "PAD is no token"


def masked_nll(logits, targets):
    return nn.functional.cross_entropy(logits.flatten(0, 1), targets.flatten())
