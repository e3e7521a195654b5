"""The weight of the lecture, whatever was asked for."""

CAUGHT_BY = "test_comparison_network"
HINT = "wrong for weight"


def comparison_network(weight):
    return {"W_xh": [[1, -1]], "W_hh": [[1]], "b_h": [0], "W_hy": [[5]], "b_y": [0]}
