"""Compares the two numbers of a step, not the totals."""

CAUGHT_BY = "test_comparison_network"
HINT = "it compares the two numbers of one step"


def comparison_network(weight):
    return {"W_xh": [[1, -1]], "W_hh": [[0]], "b_h": [0], "W_hy": [[weight]], "b_y": [0]}
