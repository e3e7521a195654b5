"""Takes the root of the sum of all squares."""

CAUGHT_BY = "test_influence"
HINT = "that is the Frobenius norm"


def influence(p, h):
    J = np.eye(h.shape[1])
    norms = [1.0]
    for t in reversed(range(1, len(h))):
        J = J @ ((1 - h[t] ** 2)[:, None] * p["W_hh"])
        norms.append(np.linalg.norm(J))
    return np.array(norms)[::-1]
