"""Plain Python: loops over lists of numbers, numpy only where a result has to be an array."""


def summation_network():
    return {"W_xh": [[1]], "W_hh": [[1]], "b_h": [0], "W_hy": [[1]], "b_y": [0]}


def dot(a, b):
    return sum(u * v for u, v in zip(a, b, strict=True))


def forward(p, x, h0):
    rows = [[float(v) for v in [*a, *b]] for a, b in zip(p["W_xh"], p["W_hh"], strict=True)]
    W_hy, b_h, b_y = p["W_hy"].tolist(), p["b_h"].tolist(), p["b_y"].tolist()
    state, h, z = [float(v) for v in h0], [], []
    for x_t in x.astype(float).tolist():
        both = x_t + state
        state = [math.tanh(dot(row, both) + b) for row, b in zip(rows, b_h, strict=True)]
        h.append(state)
        z.append([dot(row, state) + b for row, b in zip(W_hy, b_y, strict=True)])
    return np.array(h).reshape(-1, len(b_h)), np.array(z).reshape(-1, len(b_y))


def predict(p, x, h0):
    rows = []
    for z in forward(p, x, h0)[1].tolist():
        e = [math.exp(v - max(z)) for v in z]
        rows.append([v / sum(e) for v in e])
    return np.array(rows).reshape(len(x), len(p["b_y"]))


def mean_loss(p, sentences):
    losses = []
    for x, targets in sentences:
        for z, k in zip(forward(p, x, [0] * len(p["b_h"]))[1].tolist(), targets.tolist(), strict=True):
            losses.append(max(z) + math.log(sum(math.exp(v - max(z)) for v in z)) - z[k])
    return sum(losses) / len(losses)


def backward_states(p, h, dz):
    columns_hh, columns_hy = p["W_hh"].T.astype(float).tolist(), p["W_hy"].T.astype(float).tolist()
    dh, da = [], [0.0] * len(columns_hh)
    for h_t, dz_t in zip(h[::-1].tolist(), dz[::-1].astype(float).tolist(), strict=True):
        dh.append([dot(a, dz_t) + dot(b, da) for a, b in zip(columns_hy, columns_hh, strict=True)])
        da = [(1 - v * v) * g for v, g in zip(h_t, dh[-1], strict=True)]
    return np.array(dh[::-1])


def influence(p, h):
    W, units = p["W_hh"].tolist(), range(h.shape[1])
    J, out = np.identity(h.shape[1]), [1.0]
    for row in h[:0:-1].tolist():
        J = J @ np.array([[(1 - row[i] ** 2) * W[i][j] for j in units] for i in units])
        out.append(float(np.linalg.svd(J)[1][0]))
    return out[::-1]


def lstm_step(x, h, c, W, b):
    def gate(name, i):
        a = sum(float(w) * float(v) for w, v in zip(W[name][i], [*h, *x], strict=True)) + float(b[name][i])
        if name == "g":
            return math.tanh(a)
        return 1 / (1 + math.exp(-a)) if a > 0 else math.exp(max(a, -700)) / (1 + math.exp(max(a, -700)))

    cell = [gate("f", i) * float(c[i]) + gate("i", i) * gate("g", i) for i in range(len(c))]
    return [gate("o", i) * math.tanh(cell[i]) for i in range(len(c))], cell


def gates_from_torch(weight_ih, weight_hh, bias_ih, bias_hh):
    H = len(weight_hh) // 4
    W, b = {}, {}
    for k, name in enumerate("ifgo"):
        rows = range(k * H, k * H + H)
        W[name] = [[*weight_hh[r].tolist(), *weight_ih[r].tolist()] for r in rows]
        b[name] = [float(bias_ih[r] + bias_hh[r]) for r in rows]
    return W, b


def carried(f):
    rows = [[1.0] * len(f[0])]
    for gates in f[:0:-1].tolist():
        rows.append([a * b for a, b in zip(rows[-1], gates, strict=True)])
    return rows[::-1]


def train_tagger(sentences, n_words, n_tags, seed):
    rng = np.random.default_rng(seed)
    p = initial_parameters(rng, n_words, 16, n_tags)
    for rate in (0.3, 0.3, 0.2, 0.1):
        for i in rng.permutation(len(sentences)):
            gradients = bptt(p, *sentences[i], np.zeros(16))
            for name in p:
                p[name] = p[name] - rate * gradients[name]
    return p
