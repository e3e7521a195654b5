"""Trains with running means of the gradient and its square, a few sentences at a time; otherwise the reference in other words."""


def predict(p, x, h0):
    _, z = forward(p, x, h0)
    z -= np.amax(z, axis=1).reshape(-1, 1)
    np.exp(z, out=z)
    z /= np.sum(z, axis=1).reshape(-1, 1)
    return z


def lstm_step(x, h, c, W, b):
    stacked = np.vstack([W[k] for k in "fiog"]) @ np.concatenate((h, x)) + np.concatenate([b[k] for k in "fiog"])
    gates, g = np.split(stacked, [3 * len(h)])
    f, i, o = np.reciprocal(1 + np.exp(-gates.clip(-500, 500))).reshape(3, -1)
    c = f * c + i * np.tanh(g)
    return np.array([o * np.tanh(c), c])[0], c


def gates_from_torch(weight_ih, weight_hh, bias_ih, bias_hh):
    stacked = np.concatenate([weight_hh, weight_ih], axis=1).reshape(4, len(weight_hh) // 4, -1)
    bias = np.add(bias_ih, bias_hh).reshape(4, -1)
    order = {"f": 1, "i": 0, "g": 2, "o": 3}
    return {k: stacked[at] for k, at in order.items()}, {k: bias[at] for k, at in order.items()}


def train_tagger(sentences, n_words, n_tags, seed):
    rng = np.random.default_rng(seed)
    p = initial_parameters(rng, n_words, 20, n_tags)
    mean = {name: 0.0 for name in p}
    square = {name: 0.0 for name in p}
    steps = 0
    for epoch in range(8):
        order = rng.permutation(len(sentences))
        for start in range(0, len(order), 4):
            batch = [bptt(p, *sentences[i], np.zeros(20)) for i in order[start : start + 4]]
            steps += 1
            for name in p:
                g = sum(gradients[name] for gradients in batch) / len(batch)
                mean[name] = 0.9 * mean[name] + 0.1 * g
                square[name] = 0.999 * square[name] + 0.001 * g**2
                move = mean[name] / (1 - 0.9**steps) / (np.sqrt(square[name] / (1 - 0.999**steps)) + 1e-8)
                p[name] = p[name] - 0.02 * (1 - epoch / 8) * move
    return p
