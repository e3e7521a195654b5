"""Each place of the words counts as much as every other, however many words reach it."""

CAUGHT_BY = "test_masked_nll"
HINT = "the mean over places of their means"


def masked_nll(logits, targets):
    losses = nn.functional.cross_entropy(logits.mT, targets, ignore_index=PAD, reduction="none")
    return (losses.sum(dim=0) / (targets != PAD).sum(dim=0)).mean()
