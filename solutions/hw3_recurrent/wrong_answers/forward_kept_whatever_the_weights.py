"""States kept by input and start, whatever the parameters were."""

CAUGHT_BY = "test_forward"
HINT = "the same inputs, other parameters"

kept = {}


def forward(p, x, h0):
    x, h0 = np.asarray(x, dtype=float), np.asarray(h0, dtype=float)
    key = (x.shape, x.tobytes(), h0.tobytes())
    if key not in kept:
        h = np.zeros((len(x), len(p["b_h"])))
        state = h0
        for t in range(len(x)):
            state = np.tanh(p["W_xh"] @ x[t] + p["W_hh"] @ state + p["b_h"])
            h[t] = state
        kept[key] = h
    h = kept[key].copy()
    return h, h @ p["W_hy"].T + p["b_y"]
