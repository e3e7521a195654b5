"""A network is an object that remembers its way; results are lists and tuples where these do."""


class Network:
    """Elman's network, step by step."""

    def __init__(self, p):
        self.p = p

    def run(self, x, h0):
        self.before, self.after, self.out = [], [], []
        state = np.array(h0, dtype=float)
        for x_t in x:
            self.before.append(state)
            state = np.tanh(np.dot(self.p["W_xh"], x_t) + np.dot(self.p["W_hh"], state) + self.p["b_h"])
            self.after.append(state)
            self.out.append(np.dot(self.p["W_hy"], state) + self.p["b_y"])
        return self

    def arrays(self):
        H, K = len(self.p["b_h"]), len(self.p["b_y"])
        return np.reshape(self.after, (-1, H)), np.reshape(self.out, (-1, K))


class Cell:
    """The four gates of an LSTM, each an object."""

    def __init__(self, W, b):
        self.W, self.b = W, b

    def __getitem__(self, gate):
        a = self.W[gate] @ self.hx + self.b[gate]
        with np.errstate(over="ignore"):
            return np.tanh(a) if gate == "g" else 1 / (1 + np.exp(-a))

    def __call__(self, x, h, c):
        self.hx = np.hstack([h, x])
        new = self["f"] * c + self["i"] * self["g"]
        return [self["o"] * np.tanh(new), new]


def forward(p, x, h0):
    return list(Network(p).run(x, h0).arrays())


def predict(p, x, h0):
    z = Network(p).run(x, h0).arrays()[1]
    return np.exp(z - np.logaddexp.reduce(z, axis=1)[:, None])


def bptt(p, x, targets, h0):
    net = Network(p).run(x, h0)
    g = {name: np.zeros(np.shape(p[name])) for name in p}
    back = np.zeros(len(p["b_h"]))
    y_hat = predict(p, x, h0)
    for t in reversed(range(len(x))):
        dz = y_hat[t] / len(x)
        dz[targets[t]] -= 1 / len(x)
        da = (p["W_hy"].T @ dz + back) * (1 - net.after[t] ** 2)
        back = p["W_hh"].T @ da
        g["b_y"] += dz
        g["b_h"] += da
        g["W_hy"] += np.outer(dz, net.after[t])
        g["W_xh"] += np.outer(da, x[t])
        g["W_hh"] += np.outer(da, net.before[t])
    return g


def lstm_step(x, h, c, W, b):
    return Cell(W, b)(x, h, c)


def gates_from_torch(weight_ih, weight_hh, bias_ih, bias_hh):
    H = weight_hh.shape[1]
    rows = {gate: slice(k * H, (k + 1) * H) for k, gate in enumerate("ifgo")}
    W = {gate: np.concatenate((weight_hh[r], weight_ih[r]), axis=1) for gate, r in rows.items()}
    return [W, {gate: bias_hh[r] + bias_ih[r] for gate, r in rows.items()}]
