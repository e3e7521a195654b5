"""Each word counts as much as every other."""

CAUGHT_BY = "test_masked_nll"
HINT = "one mean over all tokens"


def masked_nll(logits, targets):
    losses = nn.functional.cross_entropy(logits.mT, targets, ignore_index=PAD, reduction="none")
    return (losses.sum(dim=1) / (targets != PAD).sum(dim=1)).mean()
