"""Keeps the input of the network where the parameters are."""

CAUGHT_BY = "test_embedding_gradient"
HINT = "put something into the dictionary"


def embedding_gradient(parameters, contexts, targets):
    E = parameters["E"]
    parameters["x"] = E[contexts].reshape(len(contexts), -1)
    h, z = forward(parameters, parameters["x"])
    dz = softmax(z)
    dz[np.arange(len(z)), targets] -= 1
    da = (dz / len(z) @ parameters["W2"]) * (1 - h**2)
    dx = (da @ parameters["W1"]).reshape(*contexts.shape, E.shape[1])
    gradient = np.zeros_like(E)
    np.add.at(gradient, contexts, dx)
    return gradient
