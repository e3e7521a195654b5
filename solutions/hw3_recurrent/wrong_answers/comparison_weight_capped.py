"""A weight above 100 changes nothing in σ, it thinks."""

CAUGHT_BY = "test_comparison_network"
HINT = "wrong for weight 5000"


def comparison_network(weight):
    weight = max(-100.0, min(100.0, weight))
    return {"W_xh": [[1.0, -1.0]], "W_hh": [[1.0]], "b_h": [0.0], "W_hy": [[weight]], "b_y": [0.0]}
