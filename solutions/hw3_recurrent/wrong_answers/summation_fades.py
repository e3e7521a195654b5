"""A weight just below one: the past fades, too slowly to be seen in four steps."""

CAUGHT_BY = "test_summation_network"
HINT = "every input counts once and fully"


def summation_network():
    return {"W_xh": [[1]], "W_hh": [[0.999998]], "b_h": [0], "W_hy": [[1]], "b_y": [0]}
