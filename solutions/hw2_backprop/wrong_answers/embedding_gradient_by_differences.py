"""By small differences, of the size of the embeddings."""

CAUGHT_BY = "test_embedding_gradient"
HINT = "lost in rounding"


def by_differences(f, theta):
    gradient, step = np.zeros(np.shape(theta)), 1e-6 * (np.abs(theta).max() or 1)
    for at in np.ndindex(gradient.shape):
        sides = []
        for sign in (1, -1):
            moved = np.array(theta, dtype=float)
            moved[at] += sign * step
            sides.append(f(moved))
        gradient[at] = (sides[0] - sides[1]) / (2 * step)
    return gradient


def embedding_gradient(parameters, contexts, targets):
    def loss(E):
        return nll(forward(parameters, np.hstack([E[ids] for ids in contexts.T]))[1], targets)

    return by_differences(loss, parameters["E"])
