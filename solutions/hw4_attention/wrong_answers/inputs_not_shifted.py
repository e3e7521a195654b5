"""The decoder reads what it is to write."""

CAUGHT_BY = "test_decoder_inputs"
HINT = "about to write"


def decoder_inputs(targets):
    return targets
