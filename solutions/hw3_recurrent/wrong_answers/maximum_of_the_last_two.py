"""Compares an input with the one before only."""

CAUGHT_BY = "test_maximum_network"
HINT = "wrong for falling inputs"


def maximum_network():
    return {
        "W_xh": [[1], [1], [0]],
        "W_hh": [[0, 0, 0], [-1, 0, 0], [1, 0, 0]],
        "b_h": [0, 0, 0],
        "W_hy": [[0, 1, 1]],
        "b_y": [0],
    }
