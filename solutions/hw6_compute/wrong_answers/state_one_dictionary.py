"""Returns the same dictionary each time, with new numbers in it."""

CAUGHT_BY = "test_state_bytes"
HINT = "needs a dictionary of its own"

state = {}


def state_bytes(n_parameters, n_moments=2, mixed=True):
    state["weights"] = state["gradients"] = (2 if mixed else 4) * n_parameters
    state["master weights"] = 4 * n_parameters if mixed else 0
    state["moments"] = 4 * n_moments * n_parameters
    return state
