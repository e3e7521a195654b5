"""gradient[contexts] += dx keeps only the last of several."""

CAUGHT_BY = "test_embedding_gradient"
HINT = "add the two gradients up"


def embedding_gradient(parameters, contexts, targets):
    E = parameters["E"]
    B, n_words = contexts.shape
    h, z = forward(parameters, E[contexts].reshape(B, -1))
    dz = softmax(z)
    dz[np.arange(B), targets] -= 1
    da = (dz / B @ parameters["W2"]) * (1 - h**2)
    dx = (da @ parameters["W1"]).reshape(B, n_words, -1)
    gradient = np.zeros_like(E)
    gradient[contexts] += dx
    return gradient
