"""Nudges theta itself and puts it back; trains with momentum and batches of another size; otherwise the reference in other words."""


def softmax(z):
    z = z - np.amax(z, axis=-1)[..., None]
    np.exp(z, out=z) if z.dtype.kind == "f" else None
    z = z if z.dtype.kind == "f" else np.exp(z)
    return np.divide(z, np.sum(z, axis=-1)[..., None])


def loss_jacobian(y_hat, y):
    return -(y / y_hat).reshape(1, len(y))


def numerical_gradient(f, theta, step=1e-5):
    slopes = np.zeros_like(theta)
    places = np.nditer(theta, flags=["multi_index"])
    for _ in places:
        at = places.multi_index
        theta[at] += step
        above = f(theta)
        theta[at] -= 2 * step
        below = f(theta)
        theta[at] += step  # as it was, but for rounding
        slopes[at] = (above - below) / (2 * step)
    return slopes


def train_language_model(contexts, targets, vocab_size, seed):
    rng = np.random.default_rng(seed)
    parameters = initial_parameters(rng, vocab_size, d=12, hidden=48)
    velocity = {name: 0.0 for name in parameters}
    for epoch in range(3):
        rate = 0.2 / (1 + epoch)
        for batch in batches(len(contexts), 64, rng):
            X = parameters["E"][contexts[batch]].reshape(len(batch), -1)
            g = backward(parameters, X, targets[batch]) | {
                "E": embedding_gradient(parameters, contexts[batch], targets[batch])
            }
            for name in parameters:
                velocity[name] = 0.8 * velocity[name] + g[name]
                parameters[name] = parameters[name] - rate * velocity[name]
    return parameters
