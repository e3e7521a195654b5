"""A sum grows, too."""

CAUGHT_BY = "test_maximum_network"
HINT = "that is the sum"


def maximum_network():
    return {"W_xh": [[1]], "W_hh": [[1]], "b_h": [0], "W_hy": [[1]], "b_y": [0]}
