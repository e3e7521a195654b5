"""One array for the outputs, used again by the next call of the same size."""

CAUGHT_BY = "test_forward"
HINT = "changed the outputs that the first one returned"


buffers = {}


def forward(p, x, h0):
    h = [np.asarray(h0, dtype=float)]
    for x_t in x:
        h.append(np.tanh(p["W_xh"] @ x_t + p["W_hh"] @ h[-1] + p["b_h"]))
    h = np.array(h)[1:]
    z = buffers.setdefault((len(x), len(p["b_y"])), np.empty((len(x), len(p["b_y"]))))
    z[:] = h @ p["W_hy"].T + p["b_y"]
    return h, z
