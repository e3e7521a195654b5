"""Generators, recursion, printing and warnings."""

import warnings
from itertools import accumulate


def states(p, x, h0):
    state = h0
    for x_t in x:
        state = np.tanh(np.hstack([p["W_xh"], p["W_hh"], p["b_h"][:, None]]) @ np.hstack([x_t, state, 1.0]))
        yield state


def forward(p, x, h0):
    print("a sequence of", len(x), "steps")
    h = np.fromiter((v for state in states(p, x, h0) for v in state), float).reshape(len(x), len(h0))
    return h, np.array([p["W_hy"] @ state + p["b_y"] for state in h]).reshape(len(x), len(p["b_y"]))


def mean_loss(p, sentences):
    warnings.warn("losses one by one: slow", stacklevel=1)

    def losses():
        for x, targets in sentences:
            for z, k in zip(forward(p, x, np.zeros_like(p["b_h"]))[1].tolist(), targets, strict=True):
                yield max(z) + math.log(math.fsum(math.exp(v - max(z)) for v in z)) - z[int(k)]

    found = list(losses())
    return math.fsum(found) / len(found)


def backward_states(p, h, dz):
    def back(t):
        """∂L/∂h_t and those of all later steps."""
        if t == len(h) - 1:
            return [dz[t] @ p["W_hy"]]
        later = back(t + 1)
        return [dz[t] @ p["W_hy"] + (later[0] * (1 - h[t + 1] ** 2)) @ p["W_hh"], *later]

    return np.array(back(0))


def truncated_bptt(p, x, targets, h0, window):
    if len(x) <= window:
        return bptt(p, x, targets, h0)
    first = bptt(p, x[:window], targets[:window], h0)
    rest = truncated_bptt(p, x[window:], targets[window:], forward(p, x[:window], h0)[0][-1], window)
    share = window / len(x)
    return {name: share * first[name] + (1 - share) * rest[name] for name in first}


def carried(f):
    later = accumulate(f[:0:-1], lambda a, b: a * b, initial=np.ones(f.shape[1]))
    return np.array(list(later)[::-1])


def influence(p, h):
    steps = (np.diag(1 - row**2) @ p["W_hh"] for row in h[:0:-1])
    return [np.linalg.norm(J, 2) for J in accumulate(steps, np.matmul, initial=np.eye(h.shape[1]))][::-1]
