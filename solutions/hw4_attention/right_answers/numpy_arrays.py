"""numpy wherever nothing is trained through."""


def dot_scores(H, s):
    return np.einsum("bnm,bm->bn", H.numpy(), s.numpy())


def bilinear_scores(H, W, s):
    H, W, s = (np.array(x) for x in (H, W, s))
    return np.squeeze(H @ W @ s[..., None], axis=-1)


def mlp_scores(H, W_1, w_2, s):
    H, W_1, w_2, s = (x.numpy() for x in (H, W_1, w_2, s))
    stacked = np.concatenate([H, np.repeat(s[:, np.newaxis], H.shape[1], axis=1)], axis=2)
    return np.tanh(stacked @ W_1.T).dot(w_2)


def padding_mask(lengths, n_keys):
    return np.less(np.arange(n_keys)[None], lengths.numpy()[:, None])


def causal_mask(n_queries, n_keys):
    return np.tri(n_queries, n_keys, n_keys - n_queries, dtype=bool)


def context_vectors(weights, H):
    return np.matmul(weights.numpy()[:, None, :], H.numpy())[:, 0, :]


def attention_gradients(A, V, dY):
    A, V, dY = np.asarray(A), np.asarray(V), np.asarray(dY)
    J = np.einsum("ij,jk->ijk", A, np.eye(A.shape[1])) - A[:, :, None] * A[:, None, :]
    return np.einsum("ijk,ik->ij", J, dY @ V.T), np.einsum("ij,id->jd", A, dY)


def decoder_inputs(targets):
    ids = np.full(targets.shape, BOS)
    ids[:, 1:] = targets.numpy()[:, :-1]
    return torch.as_tensor(ids)


def mirror_share(maps):
    flags = []
    for A in map(np.asarray, maps):
        T, n = A.shape
        line = np.fliplr(np.eye(max(T, n), n, dtype=bool)[:n])
        for row, on in zip(A, np.vstack([line, np.zeros((max(T - n, 0), n), bool)]), strict=False):
            flags.append(bool(on.any() and (row[~on] < row[on]).all()))
    return np.mean(flags)
