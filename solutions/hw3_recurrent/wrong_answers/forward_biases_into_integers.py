"""W_xh x for all steps at once, and b_h added in place: integers, where inputs and weights are integers."""

CAUGHT_BY = "test_forward"
HINT = "inputs and matrices of integers, biases of floats"


def forward(p, x, h0):
    h, states, sums = np.array(h0, dtype=float), [], x @ p["W_xh"].T
    sums += p["b_h"]
    for a in sums:
        h = np.tanh(a + p["W_hh"] @ h)
        states.append(h)
    h = np.array(states).reshape(-1, len(p["b_h"]))
    return h, h @ p["W_hy"].T + p["b_y"]
