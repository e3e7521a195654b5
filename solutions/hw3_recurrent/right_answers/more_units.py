"""Other weights by thought, with more units, other signs and other scales than the reference."""


def summation_network():
    # Two units that each hold half of the sum.
    return {
        "W_xh": np.array([[0.5], [1.0]]),
        "W_hh": np.array([[0.5, 0.25], [1.0, 0.5]]),
        "b_h": np.zeros(2),
        "W_hy": np.array([[1.0, 0.5]]),
        "b_y": np.zeros(1),
    }


def comparison_network(weight):
    # A unit for each of the two totals, the second one below zero.
    return {
        "W_xh": [[2, 0], [0, -4]],
        "W_hh": np.eye(2),
        "b_h": (0, 0),
        "W_hy": [[weight / 2, weight / 4]],
        "b_y": np.array([0]),
    }


def maximum_network():
    # Unit 1 keeps x itself, units 2 and 3 the old maximum and what x had more than it.
    return {
        "W_xh": np.array([[3.0], [0.0], [2.0]]),
        "W_hh": np.array([[0.0, 0.0, 0.0], [0.0, 1.0, 0.5], [0.0, -2.0, -1.0]]),
        "b_h": np.zeros(3, dtype=int),
        "W_hy": np.array([[0.0, 1.0, 0.5]]),
        "b_y": np.zeros(1),
    }
