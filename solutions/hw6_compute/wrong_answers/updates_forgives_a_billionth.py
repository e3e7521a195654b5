"""Takes a tiny rest for a rounding error."""

CAUGHT_BY = "test_updates"
HINT = "however little is left"


def updates(n_tokens, batch_size, length):
    return math.ceil(n_tokens / (batch_size * length) - 1e-9)
