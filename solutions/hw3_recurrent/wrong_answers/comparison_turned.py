"""Asks whether the second total is larger."""

CAUGHT_BY = "test_comparison_network"
HINT = "the other way round"


def comparison_network(weight):
    return {"W_xh": [[-1, 1]], "W_hh": [[1]], "b_h": [0], "W_hy": [[weight]], "b_y": [0]}
