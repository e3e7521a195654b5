"""Helpers with everyday names, those that a test might use too."""


def outputs(p, states):
    return states @ p["W_hy"].T + p["b_y"]


def step(p, x_t, state):
    return np.tanh(p["W_xh"] @ x_t + p["W_hh"] @ state + p["b_h"])


def slope(h):
    return 1 - np.square(h)


def loss(z, k):
    return np.logaddexp.reduce(z) - z[k]


def tags(z):
    return np.exp(z - np.logaddexp.reduce(z, axis=1, keepdims=True))


def gates(a):
    return np.where(a > 0, 1 / (1 + np.exp(-np.abs(a))), 1 - 1 / (1 + np.exp(-np.abs(a))))


def right(T, window):
    return [(a, min(a + window, T)) for a in range(0, T, window)]


def forward(p, x, h0):
    states = np.empty((len(x) + 1, len(h0)))
    states[0] = h0
    for t, x_t in enumerate(x):
        states[t + 1] = step(p, x_t, states[t])
    return states[1:], outputs(p, states[1:])


def predict(p, x, h0):
    return tags(forward(p, x, h0)[1])


def mean_loss(p, sentences):
    every = [
        loss(z, k)
        for x, words in sentences
        for z, k in zip(forward(p, x, np.zeros(len(p["b_h"])))[1], words, strict=True)
    ]
    return np.mean(every)


def backward_states(p, h, dz):
    got, back = [], 0
    for state, d in zip(h[::-1], dz[::-1], strict=True):
        got.append(d @ p["W_hy"] + back)
        back = (slope(state) * got[-1]) @ p["W_hh"]
    return np.stack(got[::-1])


def bptt(p, x, targets, h0):
    h, z = forward(p, x, h0)
    d = (tags(z) - np.eye(len(p["b_y"]))[targets]) / len(x)
    data = slope(h) * backward_states(p, h, d)
    names = ["b_y", "b_h", "W_hy", "W_xh", "W_hh"]
    found = [d.sum(0), data.sum(0), d.T @ h, data.T @ x, data.T @ np.concatenate([h0[None], h[:-1]])]
    return dict(zip(names, found, strict=True))


def truncated_bptt(p, x, targets, h0, window):
    expected = {}
    for a, b in right(len(x), window):
        for name, g in bptt(p, x[a:b], targets[a:b], h0).items():
            expected[name] = expected.get(name, 0) + (b - a) * g / len(x)
        h0 = forward(p, x[a:b], h0)[0][-1]
    return expected


def lstm_step(x, h, c, W, b):
    scores = {k: W[k][:, : len(h)] @ h + W[k][:, len(h) :] @ x + b[k] for k in "figo"}
    cell = gates(scores["f"]) * c + gates(scores["i"]) * np.tanh(scores["g"])
    return gates(scores["o"]) * np.tanh(cell), cell
