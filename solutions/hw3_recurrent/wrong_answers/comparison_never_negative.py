"""Takes the size of the weight."""

CAUGHT_BY = "test_comparison_network"
HINT = "wrong for weight -2.0"


def comparison_network(weight):
    return {"W_xh": [[1, -1]], "W_hh": [[1]], "b_h": [0], "W_hy": [[abs(weight)]], "b_y": [0]}
