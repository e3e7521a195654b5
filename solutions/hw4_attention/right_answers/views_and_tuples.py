"""Views, transposes, strange strides; results as views; tuples where lists were expected."""


def dot_scores(H, s):
    return torch.diagonal(H @ s.T, dim1=0, dim2=2).T


def scaled_scores(H, W_g, s):
    m = s.shape[-1]
    return (s @ W_g.T / math.sqrt(m)).unsqueeze(1).matmul(H.permute(0, 2, 1)).view(len(H), -1)


def padding_mask(lengths, n_keys):
    table = torch.ones(n_keys + 1, n_keys, dtype=torch.bool).tril(-1)
    return table[lengths.long()]


def attention_weights(scores, mask=None):
    flat = scores.reshape(-1, scores.shape[-1])
    may = torch.ones_like(flat, dtype=torch.bool) if mask is None else mask.expand(scores.shape).reshape(flat.shape)
    rows = []
    for e, ok in zip(flat.unbind(), may.unbind(), strict=True):
        row = torch.zeros_like(e)
        if ok.any():
            row = row.masked_scatter(ok, e[ok].softmax(0))
        rows.append(row)
    return torch.stack(rows).view(scores.shape)


def attention_layer(Q, X, W_K, W_V, mask=None):
    scores = torch.matmul(Q, torch.matmul(W_K.t(), X.transpose(-2, -1))) / W_K.size(1) ** 0.5
    if mask is not None:
        hidden = mask.logical_not().expand(scores.shape)
        scores = torch.where(hidden, torch.full_like(scores, -torch.inf), scores)
        scores = (scores - scores.detach().amax(-1, keepdim=True).clamp_min(torch.finfo(scores.dtype).min)).exp()
        A = scores / scores.sum(-1, keepdim=True).clamp_min(1e-300 if scores.dtype == torch.float64 else 1e-30)
    else:
        A = torch.softmax(scores, -1)
    return torch.matmul(torch.matmul(A, X), W_V), A


def greedy(step, state, n_words, max_length):
    tokens = torch.zeros(n_words, dtype=torch.long) + BOS
    columns, looks = [], ()
    alive = [True] * n_words
    while any(alive) and len(columns) < max_length:
        logits, weights, state = step(tokens, state)
        looks += (weights,)
        tokens = EOS + logits[:, EOS:].max(dim=1).indices
        columns.append([int(i) if ok and i != EOS else None for i, ok in zip(tokens, alive, strict=True)])
        alive = [i is not None for i in columns[-1]]
    answers = tuple(tuple(i for i in word if i is not None) for word in zip(*columns, strict=True))
    return [answers, torch.stack(looks).movedim(0, 1)]


def masked_nll(logits, targets):
    total = torch.zeros((), dtype=logits.dtype)
    n = 0
    for row, ids in zip(logits, targets, strict=True):
        real = int((ids != PAD).sum())
        total = total - row[:real].log_softmax(-1)[range(real), ids[:real]].sum()
        n += real
    return total / n
