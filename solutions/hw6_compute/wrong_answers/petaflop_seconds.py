"""Forgets the day."""

CAUGHT_BY = "test_petaflop_s_days"
HINT = "these are petaflop/s-seconds"


def petaflop_s_days(n_parameters, n_tokens):
    return 6 * n_parameters * n_tokens / 1e15
