"""Writes the weight into one dictionary that stands outside, so that the network returned first changes."""

CAUGHT_BY = "test_comparison_network"
HINT = "changed the network that the first one returned"


network = {"W_xh": np.array([[1.0, -1.0]]), "W_hh": np.eye(1), "b_h": np.zeros(1), "W_hy": np.ones((1, 1))}
network["b_y"] = np.zeros(1)


def comparison_network(weight):
    network["W_hy"][0, 0] = weight
    return network
