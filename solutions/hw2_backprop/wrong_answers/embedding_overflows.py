"""A softmax without the shift."""

CAUGHT_BY = "test_embedding_gradient"
HINT = "a score of 1000"


def embedding_gradient(parameters, contexts, targets):
    E = parameters["E"]
    B, n_words = contexts.shape
    h, z = forward(parameters, E[contexts].reshape(B, -1))
    dz = np.exp(z) / np.exp(z).sum(axis=1, keepdims=True)
    dz[np.arange(B), targets] -= 1
    da = (dz / B @ parameters["W2"]) * (1 - h**2)
    dx = (da @ parameters["W1"]).reshape(B, n_words, -1)
    gradient = np.zeros_like(E)
    np.add.at(gradient, contexts, dx)
    return gradient
