"""Keeps probabilities away from 0 by 1e-20, as one does before a logarithm."""

CAUGHT_BY = "test_embedding_gradient"
HINT = "e^-70"


def embedding_gradient(parameters, contexts, targets):
    E = parameters["E"]
    h, z = forward(parameters, E[contexts].reshape(len(contexts), -1))
    dz = np.clip(softmax(z), 1e-20, 1)
    dz[np.arange(len(z)), targets] -= 1
    da = (dz / len(z) @ parameters["W2"]) * (1 - h**2)
    gradient = np.zeros_like(E)
    np.add.at(gradient, contexts, (da @ parameters["W1"]).reshape(*contexts.shape, -1))
    return gradient
