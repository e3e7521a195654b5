"""Takes peta for 10^12."""

CAUGHT_BY = "test_petaflop_s_days"
HINT = "peta is 10^15"


def petaflop_s_days(n_parameters, n_tokens):
    return 6 * n_parameters * n_tokens / (1e12 * 86400)
