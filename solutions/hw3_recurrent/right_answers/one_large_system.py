"""The unrolled network as one linear system: the gradients of all states are the solution of block-triangular equations."""


def blocks(p, h):
    """The matrix A with A[t, t+1] = ∂h_{t+1}/∂h_t transposed."""
    T, H = h.shape
    A = np.zeros((T * H, T * H))
    for t in range(T - 1):
        A[t * H : (t + 1) * H, (t + 1) * H : (t + 2) * H] = (np.diag(1 - h[t + 1] ** 2) @ p["W_hh"]).T
    return A


def backward_states(p, h, dz):
    direct = (dz @ p["W_hy"]).ravel()
    return np.linalg.solve(np.eye(h.size) - blocks(p, h), direct).reshape(h.shape)


def influence(p, h):
    T, H = h.shape
    inverse = np.linalg.inv(np.eye(h.size) - blocks(p, h)).reshape(T, H, T, H)
    return np.linalg.norm(inverse[:, :, -1], ord=2, axis=(1, 2))


def truncated_bptt(p, x, targets, h0, window):
    h, z = forward(p, x, h0)
    e = np.exp(z - z.max(1)[:, None])
    dz = (e / e.sum(1)[:, None] - np.eye(z.shape[1])[targets]) / len(x)
    A = blocks(p, h)
    H = len(h0)
    for t in range(window, len(x), window):  # cut
        A[(t - 1) * H : t * H, t * H : (t + 1) * H] = 0
    dh = np.linalg.solve(np.eye(h.size) - A, (dz @ p["W_hy"]).ravel()).reshape(h.shape)
    da = dh * (1 - h) * (1 + h)
    before = np.insert(h[:-1], 0, h0, axis=0)
    return {
        "W_xh": np.einsum("th,td->hd", da, x),
        "W_hh": np.einsum("th,tg->hg", da, before),
        "b_h": np.einsum("th->h", da),
        "W_hy": np.einsum("tk,th->kh", dz, h),
        "b_y": np.einsum("tk->k", dz),
    }


def carried(f):
    return np.array([np.multiply.reduce(f[t + 1 :], axis=0) for t in range(len(f))])
