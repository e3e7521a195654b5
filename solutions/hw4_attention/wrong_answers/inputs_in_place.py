"""Shifts in place."""

CAUGHT_BY = "test_decoder_inputs"
HINT = "changed the targets"


def decoder_inputs(targets):
    before = targets[:, :-1].clone()
    targets[:, 1:], targets[:, 0] = before, BOS
    return targets
