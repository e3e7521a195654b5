"""One more, whether something is left or not."""

CAUGHT_BY = "test_updates"
HINT = "8000 in a batch: 125 updates"


def updates(n_tokens, batch_size, length):
    return n_tokens // (batch_size * length) + 1
