"""Keeps the gradient of an embedding, whatever the other parameters and the examples."""

CAUGHT_BY = "test_embedding_gradient"
HINT = "is another than in the call before"

_seen = {}


def embedding_gradient(parameters, contexts, targets):
    E = parameters["E"]
    if E.tobytes() not in _seen:
        h, z = forward(parameters, E[contexts].reshape(len(contexts), -1))
        dz = softmax(z)
        dz[np.arange(len(z)), targets] -= 1
        da = (dz / len(z) @ parameters["W2"]) * (1 - h**2)
        dx = (da @ parameters["W1"]).reshape(*contexts.shape, E.shape[1])
        gradient = np.zeros_like(E)
        np.add.at(gradient, contexts, dx)
        _seen[E.tobytes()] = gradient
    return _seen[E.tobytes()]
