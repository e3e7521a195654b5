"""Gets the slopes from the sums before the tanh, which it clips: never quite 0."""

CAUGHT_BY = "test_influence"
HINT = "states of exactly 1"


def influence(p, h):
    J, out = np.eye(h.shape[1]), [1.0]
    for t in reversed(range(1, len(h))):
        a = np.arctanh(np.clip(h[t], -0.999999, 0.999999))
        J = J @ ((1 / np.cosh(a) ** 2)[:, None] * p["W_hh"])
        out.append(np.linalg.norm(J, 2))
    return np.array(out)[::-1]
