"""Multiplies by the reciprocal of a batch, which is rounded."""

CAUGHT_BY = "test_updates"
HINT = "exactly 121 108 full batches"


def updates(n_tokens, batch_size, length):
    return math.ceil(n_tokens * (1 / (batch_size * length)))
