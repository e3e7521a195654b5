"""A fraction of an update."""

CAUGHT_BY = "test_updates"
HINT = "126 updates, a whole number"


def updates(n_tokens, batch_size, length):
    return n_tokens / (batch_size * length)
