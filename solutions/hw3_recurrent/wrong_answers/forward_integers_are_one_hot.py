"""Takes every input of integers for one-hot rows, and picks a column of W_xh."""

CAUGHT_BY = "test_forward"
HINT = "not one-hot"


def forward(p, x, h0):
    x = np.asarray(x)
    if x.dtype.kind == "i" and x.size and x.shape[1] > 1:
        W = p["W_xh"][:, x.argmax(1)].T
    else:
        W = x @ p["W_xh"].T
    h = [np.asarray(h0, dtype=float)]
    for w in W:
        h.append(np.tanh(w + p["W_hh"] @ h[-1] + p["b_h"]))
    h = np.array(h)[1:]
    return h, h @ p["W_hy"].T + p["b_y"]
