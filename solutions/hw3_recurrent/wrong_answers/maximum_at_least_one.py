"""Starts from 1, the smallest input that is shown."""

CAUGHT_BY = "test_maximum_network"
HINT = "wrong for zeros"


def maximum_network():
    return {"W_xh": [[1], [0]], "W_hh": [[-1, -1], [1, 1]], "b_h": [-1, 0], "W_hy": [[1, 1]], "b_y": [1]}
