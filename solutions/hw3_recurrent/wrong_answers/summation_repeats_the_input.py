"""Forgets that the state has to come back."""

CAUGHT_BY = "test_summation_network"
HINT = "it repeats its input"


def summation_network():
    return {"W_xh": [[1]], "W_hh": [[0]], "b_h": [0], "W_hy": [[1]], "b_y": [0]}
