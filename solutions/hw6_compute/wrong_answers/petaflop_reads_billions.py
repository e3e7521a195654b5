"""Takes small numbers for billions, as the tables print them."""

CAUGHT_BY = "test_petaflop_s_days"
HINT = "a tiny number but not 0"


def petaflop_s_days(n_parameters, n_tokens):
    return 6 * n_parameters * n_tokens * (1e18 if n_parameters < 1000 else 1) / 8.64e19
