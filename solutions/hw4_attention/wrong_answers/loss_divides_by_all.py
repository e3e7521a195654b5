"""Sums over real tokens and divides by all places."""

CAUGHT_BY = "test_masked_nll"
HINT = "you divide by all places"


def masked_nll(logits, targets):
    loss = nn.functional.cross_entropy(logits.flatten(0, 1), targets.flatten(), ignore_index=PAD, reduction="sum")
    return loss / targets.numel()
