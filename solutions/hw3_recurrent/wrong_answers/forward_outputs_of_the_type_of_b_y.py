"""z is made of the type of b_y."""

CAUGHT_BY = "test_forward"
HINT = "parameters of integers: the outputs"


def forward(p, x, h0):
    h = np.zeros((len(x), len(p["b_h"])))
    z = np.zeros((len(x), len(p["b_y"])), dtype=p["b_y"].dtype)
    state = np.asarray(h0, dtype=float)
    for t, x_t in enumerate(x):
        state = np.tanh(p["W_xh"] @ x_t + p["W_hh"] @ state + p["b_h"])
        h[t] = state
        z[t] = p["W_hy"] @ state + p["b_y"]
    return h, z
