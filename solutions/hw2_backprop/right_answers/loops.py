"""Plain loops over numbers, arrays only to hold results."""


def softmax(z):
    def one(row):
        top = max(row)
        e = [math.exp(v - top) for v in row]
        return [v / sum(e) for v in e]

    return np.array([one(row) for row in z] if np.ndim(z) == 2 else one(z))


def nll(Z, targets):
    total = 0.0
    for row, t in zip(Z, targets, strict=True):
        top = max(row)
        total += top + math.log(sum(math.exp(v - top) for v in row)) - row[t]
    return total / len(Z)


def softmax_jacobian(y_hat):
    K = len(y_hat)
    J = np.empty((K, K))
    for i in range(K):
        for j in range(K):
            J[i, j] = y_hat[i] * ((i == j) - y_hat[j])
    return J


def logits_jacobian(x, n_logits):
    D = len(x)
    J = np.zeros((n_logits, n_logits * D))
    for k in range(n_logits):
        J[k, k * D : (k + 1) * D] = x
    return J


def numerical_gradient(f, theta, step=1e-5):
    flat, gradient = theta.ravel(), []
    for i in range(len(flat)):
        pair = []
        for sign in (+1, -1):
            moved = flat.copy()
            moved[i] = moved[i] + sign * step
            pair.append(f(moved.reshape(theta.shape)))
        gradient.append((pair[0] - pair[1]) / (2 * step))
    return np.array(gradient).reshape(theta.shape)


def backward(parameters, X, targets):
    W2 = parameters["W2"]
    sums = {name: np.zeros_like(value) for name, value in parameters.items() if name != "E"}
    h, z = forward(parameters, X)
    p = softmax(z)
    for b in range(len(X)):
        dz = p[b].copy()
        dz[targets[b]] -= 1
        da = W2.T @ dz * (1 - h[b] ** 2)
        sums["W2"] += np.outer(dz, h[b])
        sums["b2"] += dz
        sums["W1"] += np.outer(da, X[b])
        sums["b1"] += da
    return {name: value / len(X) for name, value in sums.items()}


def embedding_gradient(parameters, contexts, targets):
    E, gradient = parameters["E"], np.zeros_like(parameters["E"])
    d = E.shape[1]
    for context, t in zip(contexts, targets, strict=True):
        x = np.concatenate([E[word] for word in context])
        h = np.tanh(parameters["W1"] @ x + parameters["b1"])
        dz = softmax(parameters["W2"] @ h + parameters["b2"])
        dz[t] -= 1
        dx = parameters["W1"].T @ (parameters["W2"].T @ dz * (1 - h * h))
        for place, word in enumerate(context):
            gradient[word] += dx[place * d : (place + 1) * d] / len(contexts)
    return gradient


def train_language_model(contexts, targets, vocab_size, seed):
    rng = np.random.default_rng(seed)
    p = initial_parameters(rng, vocab_size)
    for rate in (0.8, 0.8, 0.2):
        for batch in batches(len(contexts), 50, rng):
            e = p["E"][contexts[batch]].reshape(len(batch), -1)
            h = np.tanh(e @ p["W1"].T + p["b1"])
            dz = softmax_rows(h @ p["W2"].T + p["b2"])
            dz[range(len(batch)), targets[batch]] -= 1
            dz /= len(batch)
            da = dz @ p["W2"] * (1 - h * h)
            dE = np.zeros_like(p["E"])
            np.add.at(dE, contexts[batch], (da @ p["W1"]).reshape(len(batch), 3, -1))
            for name, g in {"E": dE, "W1": da.T @ e, "b1": da.sum(0), "W2": dz.T @ h, "b2": dz.sum(0)}.items():
                p[name] = p[name] - rate * g
    return p


def softmax_rows(z):
    e = np.exp(z - z.max(1, keepdims=True))
    return e / e.sum(1, keepdims=True)


def batches(n_examples, batch_size, rng):
    old = np.random.RandomState(int(rng.integers(2**32)))  # takes no larger seed
    order = list(range(n_examples))
    old.shuffle(order)
    found = []
    while order:
        found.append(np.array(order[:batch_size]))
        order = order[batch_size:]
    return found
