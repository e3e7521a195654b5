"""Rounds to whole units, as the papers do."""

CAUGHT_BY = "test_petaflop_s_days"
HINT = "3645.8333… petaflop/s-days, not rounded"


def petaflop_s_days(n_parameters, n_tokens):
    return round(6 * n_parameters * n_tokens / 8.64e19)
