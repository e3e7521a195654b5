"""float32 wherever a result is made."""


def single(p):
    return {name: np.asarray(value, dtype=np.float32) for name, value in p.items()}


def maximum_network():
    p = {"W_xh": [[1], [0]], "W_hh": [[-1, -1], [1, 1]], "b_h": [0, 0], "W_hy": [[1, 1]], "b_y": [0]}
    return single(p)


def comparison_network(weight):
    p = {"W_xh": [[1, -1]], "W_hh": [[1]], "b_h": [0], "W_hy": [[weight]], "b_y": [0]}
    return single(p)


def forward(p, x, h0):
    p, x = single(p), np.asarray(x, dtype=np.float32)
    h = np.empty((len(x), len(p["b_h"])), dtype=np.float32)
    state = np.asarray(h0, dtype=np.float32)
    for t in range(len(x)):
        state = h[t] = np.tanh(x[t] @ p["W_xh"].T + state @ p["W_hh"].T + p["b_h"])
    return h, h @ p["W_hy"].T + p["b_y"]


def predict(p, x, h0):
    z = forward(p, x, h0)[1]
    e = np.exp(z - z.max(axis=-1, keepdims=True))
    return e / e.sum(axis=-1, keepdims=True)


def mean_loss(p, sentences):
    total, n = np.float32(0), 0
    for x, targets in sentences:
        z = forward(p, x, np.zeros(len(p["b_h"])))[1]
        top = z.max(1)
        total += (top + np.log(np.exp(z - top[:, None]).sum(1)) - z[range(len(x)), targets]).sum(dtype=np.float32)
        n += len(x)
    return np.float32(total / n)


def backward_states(p, h, dz):
    p, h = single(p), np.asarray(h, dtype=np.float32)
    dh = np.asarray(dz, dtype=np.float32) @ p["W_hy"]
    for t in range(len(h) - 1, 0, -1):
        dh[t - 1] += ((1 - h[t] * h[t]) * dh[t]) @ p["W_hh"]
    return dh


def influence(p, h):
    p, h = single(p), np.asarray(h, dtype=np.float32)
    J, norms = np.eye(h.shape[1], dtype=np.float32), [np.float32(1)]
    for row in h[:0:-1]:
        J = J @ (np.diag(1 - row**2) @ p["W_hh"])
        norms.insert(0, np.linalg.norm(J, ord=2))
    return np.array(norms, dtype=np.float32)


def lstm_step(x, h, c, W, b):
    hx = np.r_[h, x].astype(np.float32)
    a = {k: single(W)[k] @ hx + single(b)[k] for k in W}
    f, i, o = (1 / (1 + np.exp(-a[k])) for k in ("f", "i", "o"))
    c = f * np.float32(c) + i * np.tanh(a["g"])
    return o * np.tanh(c), c


def carried(f):
    f = np.asarray(f, dtype=np.float32)
    return np.cumprod(np.vstack([f[1:], np.ones_like(f[:1])])[::-1], axis=0)[::-1]


def train_tagger(sentences, n_words, n_tags, seed):
    rng = np.random.default_rng(seed)
    p = single(initial_parameters(rng, n_words, 16, n_tags))
    for rate in (0.3, 0.3, 0.2, 0.1, 0.05):
        for i in rng.permutation(len(sentences)):
            g = bptt(p, *sentences[i], np.zeros(16, dtype=np.float32))
            for name in p:
                p[name] = p[name] - np.float32(rate) * g[name]
    return single(p)
