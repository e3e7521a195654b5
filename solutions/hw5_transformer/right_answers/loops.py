"""Lists and loops wherever training does not have to wait for them."""


def causal_mask(n_queries, n_keys):
    rows = []
    for i in range(n_queries):
        position = n_keys - n_queries + i
        rows.append([j <= position for j in range(n_keys)])
    return torch.tensor(rows)


def split_heads(X, n_heads):
    B, T, d = X.shape
    if d % n_heads != 0:
        raise ValueError("the heads do not fit")
    d_k = d // n_heads
    heads = []
    for i in range(n_heads):
        heads.append(X[:, :, i * d_k : (i + 1) * d_k])
    return torch.stack(heads, 1)


def merge_heads(H):
    heads = []
    for i in range(H.shape[1]):
        heads.append(H[:, i])
    return torch.cat(heads, 2)


def attention(Q, K, V, mask):
    if Q.ndim > 2 and len(Q) < 4:
        masks = mask.expand(*Q.shape[:-1], K.shape[-2])
        return torch.stack([attention(q, k, v, m) for q, k, v, m in zip(Q, K, V, masks, strict=True)])
    return attention_weights(Q @ K.transpose(-1, -2) * K.shape[-1] ** -0.5, mask) @ V


def sinusoidal_positions(n_positions, d):
    table = torch.zeros(n_positions, d)
    for t in range(n_positions):
        for i in range(d // 2):
            angle = t / 10000 ** (2 * i / d)
            table[t, 2 * i] = math.sin(angle)
            table[t, 2 * i + 1] = math.cos(angle)
    return table


def rotate(X, start=0):
    d_k = X.shape[-1]
    columns = []
    t = torch.arange(start, start + X.shape[-2])
    for i in range(d_k // 2):
        angle = t * 10000 ** (-2 * i / d_k)
        a, b = X[..., 2 * i], X[..., 2 * i + 1]
        columns += [angle.cos() * a - angle.sin() * b, angle.sin() * a + angle.cos() * b]
    return torch.stack(columns, -1)


def nll(Z, targets):
    losses = []
    for scores, ids in zip(Z, targets, strict=True):
        for at_one_place, word in zip(scores, ids, strict=True):
            if word >= 0:
                losses.append(at_one_place.logsumexp(-1) - at_one_place[word])
    return sum(losses) / len(losses)


def generate(read, prefix, max_tokens):
    text = [0] + list(prefix)
    cache = None
    new = []
    while len(new) < max_tokens and 1 not in new:
        for token in text:
            scores, cache = read(token, cache)
        numbers = scores.tolist()
        text = [numbers.index(max(numbers))]
        new += text
    return new
