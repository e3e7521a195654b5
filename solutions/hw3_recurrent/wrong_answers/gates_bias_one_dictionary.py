"""One dictionary for the biases of all calls."""

CAUGHT_BY = "test_gates_from_torch"
HINT = "changed the biases that the first one returned"


b_found = {}


def gates_from_torch(weight_ih, weight_hh, bias_ih, bias_hh):
    b_found.update(zip("ifgo", np.split(bias_ih + bias_hh, 4), strict=True))
    return dict(zip("ifgo", np.split(np.hstack([weight_hh, weight_ih]), 4), strict=True)), b_found
