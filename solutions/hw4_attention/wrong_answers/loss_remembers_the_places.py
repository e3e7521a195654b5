"""Keeps the places that are not PAD, by the sizes of the batch."""

CAUGHT_BY = "test_masked_nll"
HINT = "right in one call, wrong in the next"

_places = {}


def masked_nll(logits, targets):
    keep = _places.setdefault(targets.shape, targets != PAD)
    return nn.functional.cross_entropy(logits[keep], targets[keep])
