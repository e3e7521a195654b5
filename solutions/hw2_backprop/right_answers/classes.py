"""A layer is an object that remembers what it needs for the way back."""


class Linear:
    """z = x Wᵀ + b."""

    def __init__(self, W, b):
        self.W, self.b = W, b

    def __call__(self, x):
        self.x = x
        return x @ self.W.T + self.b

    def back(self, dz):
        self.dW, self.db = dz.T @ self.x, dz.sum(0)
        return dz @ self.W


class Tanh:
    """h = tanh(a)."""

    def __call__(self, a):
        self.h = np.tanh(a)
        return self.h

    def back(self, dh):
        return dh * (1 - self.h * self.h)


class Network:
    """Two linear layers with a tanh between them."""

    def __init__(self, p):
        self.first, self.bend, self.last = Linear(p["W1"], p["b1"]), Tanh(), Linear(p["W2"], p["b2"])

    def __call__(self, X):
        return self.last(self.bend(self.first(X)))

    def back(self, X, targets):
        dz = softmax(self(X)) - np.eye(len(self.last.b))[targets]
        return self.first.back(self.bend.back(self.last.back(dz / len(X))))


def forward(parameters, X):
    network = Network(parameters)
    z = network(X)
    return network.bend.h, z


def backward(parameters, X, targets):
    network = Network(parameters)
    network.back(X, targets)
    return {"W1": network.first.dW, "b1": network.first.db, "W2": network.last.dW, "b2": network.last.db}


def embedding_gradient(parameters, contexts, targets):
    network, E = Network(parameters), parameters["E"]
    dx = network.back(E[contexts].reshape(len(contexts), -1), targets)
    one_hot = np.eye(len(E))[contexts.ravel()]
    return one_hot.T @ dx.reshape(-1, E.shape[1])
