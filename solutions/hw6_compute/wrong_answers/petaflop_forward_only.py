"""2ND, the forward pass alone."""

CAUGHT_BY = "test_petaflop_s_days"
HINT = "2ND is the forward pass alone"


def petaflop_s_days(n_parameters, n_tokens):
    return 2 * n_parameters * n_tokens / 8.64e19
