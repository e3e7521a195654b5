"""Squeezes the outputs, so that those of a single step are a vector."""

CAUGHT_BY = "test_forward"
HINT = "one step, two outputs: z has shape (1, 2)"


def forward(p, x, h0):
    h = np.zeros((len(x), len(p["b_h"])))
    state = h0
    for t in range(len(x)):
        state = h[t] = np.tanh(p["W_xh"] @ x[t] + p["W_hh"] @ state + p["b_h"])
    z = h @ p["W_hy"].T + p["b_y"]
    return h, z[0] if len(z) == 1 else z
