"""Takes a batch of sequences for one of tokens."""

CAUGHT_BY = "test_updates"
HINT = "not 8"


def updates(n_tokens, batch_size, length):
    return math.ceil(n_tokens / batch_size)
