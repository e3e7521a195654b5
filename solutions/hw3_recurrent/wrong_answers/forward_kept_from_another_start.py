"""States kept by the input, whatever the state was from which it began."""

CAUGHT_BY = "test_forward"
HINT = "another h0"


kept = {}


def forward(p, x, h0):
    key = np.asarray(x).tobytes(), np.shape(x), p["W_hh"].tobytes(), p["b_h"].tobytes()
    if key not in kept:
        h = [h0]
        for x_t in x:
            h.append(np.tanh(p["W_xh"] @ x_t + p["W_hh"] @ h[-1] + p["b_h"]))
        kept[key] = np.array(h[1:]).reshape(-1, len(h0))
    return kept[key], kept[key] @ p["W_hy"].T + p["b_y"]
