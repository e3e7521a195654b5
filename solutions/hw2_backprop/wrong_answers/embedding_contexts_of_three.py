"""Reads three words of each context, however many it has."""

CAUGHT_BY = "test_embedding_gradient"
HINT = "a context need not have three"


def embedding_gradient(parameters, contexts, targets):
    E = parameters["E"]
    d = E.shape[1]
    h, z = forward(parameters, E[contexts].reshape(len(contexts), -1))
    dz = softmax(z)
    dz[np.arange(len(z)), targets] -= 1
    dx = ((dz / len(z) @ parameters["W2"]) * (1 - h**2)) @ parameters["W1"]
    gradient = np.zeros_like(E)
    for i in range(3):
        np.add.at(gradient, contexts[:, i], dx[:, i * d : (i + 1) * d])
    return gradient
