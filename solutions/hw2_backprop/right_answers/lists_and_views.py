"""Lists where arrays would do, transposed views, and integer arrays of other types."""


def softmax(z):
    top = np.max(z, axis=-1, keepdims=True)
    e = np.exp(np.subtract(z, top))
    return (e.T / e.sum(axis=-1).T).T


def loss_jacobian(y_hat, y):
    return [[-float(a) / float(b) for a, b in zip(y, y_hat, strict=True)]]


def softmax_jacobian(y_hat):
    return [[float(a * ((i == j) - b)) for j, b in enumerate(y_hat)] for i, a in enumerate(y_hat)]


def logits_jacobian(x, n_logits):
    zeros = [0.0] * len(x)
    return [sum((list(map(float, x)) if j == k else zeros for j in range(n_logits)), []) for k in range(n_logits)]


def weight_gradient(W, x, y):
    return (x[:, None] @ (softmax(W @ x) - y)[None]).T


def forward(parameters, X):
    h = np.tanh(parameters["W1"] @ X.T + parameters["b1"][:, None])
    return h.T, (parameters["W2"] @ h).T + parameters["b2"]


def batches(n_examples, batch_size, rng):
    order = rng.permutation(n_examples).astype(np.int32)
    return tuple(order[i : i + batch_size].tolist() for i in range(0, n_examples, batch_size))


def train_language_model(contexts, targets, vocab_size, seed):
    rng = np.random.default_rng(seed)
    p = initial_parameters(rng, vocab_size)
    for rate in (1.0, 1.0, 1.0, 0.3):
        for batch in batches(len(contexts), 128, rng):
            X = p["E"][contexts[batch]].reshape(len(batch), -1)
            g = backward(p, X, targets[batch])
            p["E"] = p["E"] - rate * embedding_gradient(p, contexts[batch], targets[batch])
            for name in g:
                p[name] = p[name] - rate * g[name]
    return p
