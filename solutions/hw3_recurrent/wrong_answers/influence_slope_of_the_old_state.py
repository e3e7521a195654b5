"""Takes the slope at h_t, not at h_{t+1}."""

CAUGHT_BY = "test_influence"
HINT = "slopes of the wrong steps"


def influence(p, h):
    J = np.eye(h.shape[1])
    norms = [1.0]
    for t in reversed(range(1, len(h))):
        J = J @ ((1 - h[t - 1] ** 2)[:, None] * p["W_hh"])
        norms.append(np.linalg.norm(J, 2))
    return np.array(norms)[::-1]
