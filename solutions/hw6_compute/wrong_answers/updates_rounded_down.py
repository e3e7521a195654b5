"""Forgets what is left over."""

CAUGHT_BY = "test_updates"
HINT = "it makes one more update"


def updates(n_tokens, batch_size, length):
    return n_tokens // (batch_size * length)
