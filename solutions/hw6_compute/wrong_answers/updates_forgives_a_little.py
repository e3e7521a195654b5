"""Takes a small rest for a rounding error."""

CAUGHT_BY = "test_updates"
HINT = "should be"


def updates(n_tokens, batch_size, length):
    return math.ceil(n_tokens / (batch_size * length) - 1e-5)
