"""Results that are read-only, views with negative strides, named tuples, subclasses of dict; helpers with keyword-only arguments."""

import sys
import warnings
from collections import OrderedDict, defaultdict, namedtuple
from functools import cache

Run = namedtuple("Run", "h z")
State = namedtuple("State", ["h", "c"])


class Gradients(dict):
    """A dictionary that can be scaled."""

    def __mul__(self, k):
        return Gradients({n: v * k for n, v in self.items()})


@cache
def eye(n):
    m = np.eye(n)
    m.flags.writeable = False
    return m


def frozen(a):
    a = np.asarray(a)
    a.flags.writeable = False
    return a


def summation_network():
    return OrderedDict(W_xh=np.ones((1, 1), int), W_hh=eye(1), b_h=(0,), W_hy=((1,),), b_y=np.zeros(1, bool))


def comparison_network(weight):
    return defaultdict(
        list, W_xh=np.eye(2), W_hh=np.eye(2), b_h=[0, 0], W_hy=np.outer([weight], [1, -1]), b_y=np.zeros(1)
    )


def maximum_network():
    # x itself, and what the old maximum has more than x
    return {"W_xh": [[1], [-1]], "W_hh": [[0, 0], [1, 1]], "b_h": (0, 0), "W_hy": [(1, 1)], "b_y": [0]}


def forward(p, x, h0=None, *, phi=np.tanh, loud=True):
    if loud:
        print("steps:", len(x), file=sys.stderr)
    h0 = np.zeros(len(p["b_h"])) if h0 is None else h0
    back = np.empty((len(x), len(p["b_h"])))
    s = h0
    for t, row in enumerate(x):
        s = phi(p["W_xh"] @ row + p["W_hh"] @ s + p["b_h"])
        back[len(x) - 1 - t] = s
    h = back[::-1]
    return Run(frozen(h), frozen((p["W_hy"] @ h.T).T + p["b_y"]))


def predict(p, x, h0):
    warnings.warn("predicting", UserWarning, stacklevel=1)
    z = forward(p, x, h0).z
    e = np.exp(np.subtract(z, z.max(axis=1)[:, np.newaxis]))
    return np.asfortranarray(e / e.sum(axis=1)[:, np.newaxis])


def mean_loss(p, sentences):
    total, n = 0.0, 0
    for x, y in sentences:
        z = forward(p, x).z
        for t in range(len(y)):
            total += np.logaddexp.reduce(z[t] - z[t, y[t]])
            n += 1
    return np.array([total / n])


def backward_states(p, h, dz):
    T, H = h.shape
    out = np.zeros((T + 1, H))
    slope = np.vstack([1.0 - np.square(h), np.zeros((1, H))])
    for t in range(T - 1, -1, -1):
        out[t] = p["W_hy"].T.dot(dz[t]) + p["W_hh"].T.dot(slope[t + 1] * out[t + 1] if t + 1 < T else np.zeros(H))
    return out[:-1]


def bptt(p, x, targets, h0):
    h, z = forward(p, x, h0)
    e = np.exp(z - z.max(1, keepdims=True))
    dz = (e / e.sum(1, keepdims=True) - eye(z.shape[1])[targets]) / len(x)
    da = backward_states(p, h, dz) * (1 - h**2)
    before = np.insert(h, 0, h0, axis=0)[:-1]
    return Gradients(W_hy=dz.T @ h, b_y=np.add.reduce(dz), W_hh=da.T @ before, W_xh=da.T @ x, b_h=np.add.reduce(da))


def truncated_bptt(p, x, targets, h0, window):
    """One pass: the gradient that goes back is cut where a window begins."""
    h, z = forward(p, x, h0)
    e = np.exp(z - z.max(1, keepdims=True))
    dz = (e / e.sum(1, keepdims=True) - eye(z.shape[1])[targets]) / len(x)
    da, back = np.zeros(h.shape), np.zeros(len(h0))
    for t in reversed(range(len(x))):
        da[t] = (dz[t] @ p["W_hy"] + back) * (1 - h[t] ** 2)
        back = da[t] @ p["W_hh"] if t % window else np.zeros(len(h0))
    before = np.insert(h, 0, h0, axis=0)[:-1]
    found = defaultdict(float)
    found.update(W_hy=dz.T @ h, b_y=dz.sum(0), W_hh=da.T @ before, W_xh=da.T @ x, b_h=da.sum(0))
    return found


def influence(p, h):
    """Rows of the Jacobian by way of 3.1: with W_hy = I the gradient of h_T's entries."""
    T, H = h.shape
    rows = []
    for k in range(H):
        dz = np.zeros((T, H))
        dz[-1, k] = 1
        rows.append(backward_states({**p, "W_hy": np.eye(H)}, h, dz))
    J = np.stack(rows, axis=1)  # (T, H, H)
    return frozen(np.linalg.norm(J, 2, axis=(1, 2)))


def lstm_step(x, h, c, W, b):
    a = {k: W[k] @ np.r_[h, x] + b[k] for k in "fiog"}
    s = {k: np.exp(-np.logaddexp(0, -a[k])) for k in "fio"}
    c = s["f"] * c + s["i"] * np.tanh(a["g"])
    return State(s["o"] * np.tanh(c), c)


def gates_from_torch(weight_ih, weight_hh, bias_ih, bias_hh):
    H = len(bias_ih) // 4
    W, b = defaultdict(list), OrderedDict()
    for r in range(4 * H):
        W["ifgo"[r // H]].append(np.append(weight_hh[r], weight_ih[r]))
    for n, k in enumerate("ifgo"):
        b[k] = tuple(bias_ih[n * H + j] + bias_hh[n * H + j] for j in range(H))
    return W, b


def carried(f):
    with np.errstate(divide="ignore"):
        logs = np.log(np.asarray(f, float))
    later = np.zeros(logs.shape)
    for t in range(len(f) - 2, -1, -1):
        later[t] = later[t + 1] + logs[t + 1]
    return frozen(np.exp(later))


def train_tagger(sentences, n_words, n_tags, seed):
    import random

    random.seed(seed)
    rng = np.random.RandomState(seed)
    p = initial_parameters(rng, n_words, 32, n_tags)
    speed = {k: np.zeros_like(v) for k, v in p.items()}
    order = list(range(len(sentences)))
    for epoch in range(6):
        random.shuffle(order)
        for i in order:
            x, y = sentences[i]
            g = bptt(p, x, y, np.zeros(32))
            for k in p:
                speed[k] = 0.5 * speed[k] - 0.1 * (1 - epoch / 6) * g[k]
                p[k] = p[k] + speed[k]
    return p
