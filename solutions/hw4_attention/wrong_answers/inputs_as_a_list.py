"""A list of lists, which no embedding takes."""

CAUGHT_BY = "test_decoder_inputs"
HINT = "one torch tensor"


def decoder_inputs(targets):
    return [[BOS, *row[:-1]] for row in targets.tolist()]
