"""float32 wherever a result is made."""


def softmax(z):
    z = np.asarray(z, dtype=np.float32)
    e = np.exp(z - z.max(axis=-1, keepdims=True))
    return e / e.sum(axis=-1, keepdims=True)


def nll(Z, targets):
    Z = np.asarray(Z, dtype=np.float32)
    top = Z.max(1, keepdims=True)
    log_z = top[:, 0] + np.log(np.exp(Z - top).sum(1))
    return np.mean(log_z - Z[np.arange(len(Z)), targets], dtype=np.float32)


def loss_jacobian(y_hat, y):
    return np.asarray(-y / y_hat, dtype=np.float32).reshape(1, -1)


def softmax_jacobian(y_hat):
    y_hat = np.asarray(y_hat, dtype=np.float32)
    return np.diagflat(y_hat) - y_hat[:, np.newaxis] @ y_hat[np.newaxis]


def logits_jacobian(x, n_logits):
    return np.kron(np.eye(n_logits, dtype=np.float32), x.astype(np.float32))


def weight_gradient(W, x, y):
    W, x, y = (np.asarray(part, dtype=np.float32) for part in (W, x, y))
    return np.outer(softmax(W @ x) - y, x)


def forward(parameters, X):
    p = {name: np.asarray(value, dtype=np.float32) for name, value in parameters.items()}
    h = np.tanh(np.asarray(X, dtype=np.float32) @ p["W1"].T + p["b1"])
    return h, h @ p["W2"].T + p["b2"]


def embedding_gradient(parameters, contexts, targets):
    E = np.asarray(parameters["E"], dtype=np.float32)
    h, z = forward(parameters, E[contexts].reshape(len(contexts), -1))
    top = z.max(axis=1, keepdims=True)
    dz = np.exp(
        z - (top + np.log(np.exp(z - top).sum(axis=1, keepdims=True)))
    )  # ends as coarse as the scores are large
    dz[np.arange(len(z)), targets] -= 1
    da = dz / np.float32(len(z)) @ np.asarray(parameters["W2"], dtype=np.float32) * (1 - h**2)
    dx = da @ np.asarray(parameters["W1"], dtype=np.float32)
    gradient = np.zeros_like(E)
    np.add.at(gradient, contexts, dx.reshape(*contexts.shape, -1))
    return gradient
