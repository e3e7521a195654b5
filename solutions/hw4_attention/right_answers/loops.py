"""Loops and plain numbers, one score at a time; lists of lists where a tensor was expected."""


def dot_scores(H, s):
    return [[float(sum(a * b for a, b in zip(h, s[b], strict=True))) for h in H[b]] for b in range(len(H))]


def bilinear_scores(H, W, s):
    out = torch.zeros(H.shape[:2], dtype=H.dtype)
    for b in range(H.shape[0]):
        for i in range(H.shape[1]):
            for k in range(W.shape[0]):
                for j in range(W.shape[1]):
                    out[b, i] += H[b, i, k] * W[k, j] * s[b, j]
    return out


def scaled_scores(H, W_g, s):
    rows = []
    for b, sentence in enumerate(H):
        rows.append([(h @ W_g @ s[b]).item() / len(h) ** 0.5 for h in sentence])
    return torch.tensor(rows)


def mlp_scores(H, W_1, w_2, s):
    return torch.stack(
        [
            torch.stack([w_2.dot(torch.tanh(W_1.mv(torch.cat((h, query))))) for h in states])
            for states, query in zip(H, s, strict=True)
        ]
    )


def padding_mask(lengths, n_keys):
    return [[j < int(length) for j in range(n_keys)] for length in lengths]


def causal_mask(n_queries, n_keys):
    mask = torch.zeros(n_queries, n_keys).bool()
    for i in range(n_queries):
        for j in range(n_keys):
            if n_queries - 1 - i <= n_keys - 1 - j:
                mask[i, j] = True
    return mask


def context_vectors(weights, H):
    contexts = torch.zeros(H.shape[0], H.shape[2], dtype=H.dtype)
    for b in range(len(H)):
        for i, h in enumerate(H[b]):
            contexts[b] += weights[b][i] * h
    return contexts


def attention_gradients(A, V, dY):
    dE = torch.zeros_like(A)
    for i in range(A.shape[0]):
        jacobian = torch.diag(A[i]) - torch.outer(A[i], A[i])
        dE[i] = jacobian @ (V @ dY[i])
    dV = sum(torch.outer(A[i], dY[i]) for i in range(A.shape[0]))
    return [dE, dV]


def decoder_inputs(targets):
    return torch.tensor([[BOS] + row[:-1] for row in targets.tolist()])


def mirror_share(maps):
    hits = total = 0
    for A in maps:
        for t, row in enumerate(A.tolist()):
            total += 1
            at = len(row) - 1 - t
            if at >= 0 and row[at] == max(row) and row.count(max(row)) == 1:
                hits += 1
    return hits / total
