"""roll: the last id comes in at the front."""

CAUGHT_BY = "test_decoder_inputs"
HINT = "it reads BOS"


def decoder_inputs(targets):
    return targets.roll(1, dims=1)
