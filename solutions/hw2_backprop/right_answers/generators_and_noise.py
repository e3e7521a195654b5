"""Generators, printing, warnings and one generator of random numbers handed around."""

import warnings


def nll(Z, targets):
    print("loss of", len(Z), "examples")

    def losses():
        for z, t in zip(Z.tolist(), targets.tolist(), strict=True):
            yield math.log(math.fsum(math.exp(v - max(z)) for v in z)) + max(z) - z[t]

    return math.fsum(losses()) / len(Z)


def numerical_gradient(f, theta, step=1e-5):
    warnings.warn("two evaluations for every component: slow", stacklevel=1)
    basis = (step * row.reshape(theta.shape) for row in np.eye(theta.size))
    return np.fromiter(((f(theta + e) - f(theta - e)) / (2 * step) for e in basis), float).reshape(theta.shape)


def batches(n_examples, batch_size, rng):
    def cut(order):
        if len(order):
            yield order[:batch_size]
            yield from cut(order[batch_size:])

    return list(cut(rng.permutation(n_examples)))


def sgd(gradient, theta, n_examples, batch_size, learning_rate, epochs, rng):
    from functools import reduce

    def epoch(theta, _):
        print("epoch", _)
        return reduce(lambda t, i: t - learning_rate * gradient(t, i), batches(n_examples, batch_size, rng), theta)

    return reduce(epoch, range(epochs), theta)
