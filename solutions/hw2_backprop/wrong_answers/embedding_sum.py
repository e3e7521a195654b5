"""Forgets that the loss of the batch is a mean."""

CAUGHT_BY = "test_embedding_gradient"
HINT = "too large for 2 contexts"


def embedding_gradient(parameters, contexts, targets):
    E = parameters["E"]
    h, z = forward(parameters, E[contexts].reshape(len(contexts), -1))
    dz = softmax(z)
    dz[np.arange(len(z)), targets] -= 1
    da = (dz @ parameters["W2"]) * (1 - h**2)
    gradient = np.zeros_like(E)
    np.add.at(gradient, contexts, (da @ parameters["W1"]).reshape(*contexts.shape, -1))
    return gradient
