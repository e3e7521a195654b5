"""Shows the last input only."""

CAUGHT_BY = "test_maximum_network"
HINT = "it forgets"


def maximum_network():
    return {"W_xh": [[1]], "W_hh": [[0]], "b_h": [0], "W_hy": [[1]], "b_y": [0]}
