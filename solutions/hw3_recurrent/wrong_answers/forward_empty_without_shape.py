"""A list of no steps becomes an array without a second axis."""

CAUGHT_BY = "test_forward"
HINT = "no steps: shapes"


def forward(p, x, h0):
    h, z = [], []
    for x_t in x:
        h0 = np.tanh(p["W_xh"] @ x_t + p["W_hh"] @ h0 + p["b_h"])
        h.append(h0)
        z.append(p["W_hy"] @ h0 + p["b_y"])
    return np.array(h), np.array(z)
