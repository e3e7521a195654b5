"""Keeps ids in one byte, as if no vocabulary had more than 256 words."""

CAUGHT_BY = "test_embedding_gradient"
HINT = "a vocabulary of 300 words"


def embedding_gradient(parameters, contexts, targets):
    E = parameters["E"]
    h, z = forward(parameters, E[contexts].reshape(len(contexts), -1))
    dz = softmax(z)
    dz[np.arange(len(z)), targets] -= 1
    da = (dz / len(z) @ parameters["W2"]) * (1 - h**2)
    dx = (da @ parameters["W1"]).reshape(*contexts.shape, E.shape[1])
    gradient = np.zeros_like(E)
    np.add.at(gradient, contexts.astype(np.uint8), dx)
    return gradient
