"""Starts with a full batch only."""

CAUGHT_BY = "test_updates"
HINT = "a single token needs an update"


def updates(n_tokens, batch_size, length):
    return math.ceil(n_tokens / (batch_size * length)) if n_tokens >= batch_size * length else 0
