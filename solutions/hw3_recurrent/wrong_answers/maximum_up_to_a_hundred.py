"""Inputs beyond a hundred are cut off by a unit that is to keep the state small."""

CAUGHT_BY = "test_maximum_network"
HINT = "wrong for random inputs"


def maximum_network():
    return {
        "W_xh": [[1], [0], [1]],
        "W_hh": [[-1, -1, 1], [1, 1, -1], [0, 0, 0]],
        "b_h": [0, 0, -100],
        "W_hy": [[1, 1, -1]],
        "b_y": [0],
    }
