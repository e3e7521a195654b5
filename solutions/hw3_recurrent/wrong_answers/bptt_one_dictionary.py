"""One dictionary for the gradients of all calls."""

CAUGHT_BY = "test_bptt"
HINT = "a new dictionary in each call"


gradients = {}


def bptt(p, x, targets, h0):
    h, _ = forward(p, x, h0)
    dz = predict(p, x, h0)
    dz[np.arange(len(x)), targets] -= 1
    dz /= len(x)
    da = backward_states(p, h, dz) * (1 - h**2)
    before = np.vstack([h0, h[:-1]])
    gradients.update(
        {"W_xh": da.T @ x, "W_hh": da.T @ before, "b_h": da.sum(axis=0), "W_hy": dz.T @ h, "b_y": dz.sum(axis=0)}
    )
    return gradients
