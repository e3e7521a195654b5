"""Weights in layers of torch's, gradients wanted: results come with a graph behind them, which is no mistake."""


def bilinear_scores(H, W, s):
    general = nn.Linear(W.shape[1], W.shape[0], bias=False).to(W.dtype)
    with torch.no_grad():
        general.weight.copy_(W)
    return (H @ general(s)[:, :, None]).squeeze(-1)


def scaled_scores(H, W_g, s):
    general = nn.Parameter(W_g.clone())
    return (H * (s @ general.T)[:, None]).sum(-1) / H.shape[-1] ** 0.5


def mlp_scores(H, W_1, w_2, s):
    k, m = W_1.shape
    first, second = nn.Linear(m, k, bias=False), nn.Linear(k, 1, bias=False)
    first.weight, second.weight = nn.Parameter(W_1), nn.Parameter(w_2[None])
    return second(torch.tanh(first(torch.cat([H, s[:, None].expand(-1, H.shape[1], -1)], dim=-1)))).squeeze(-1)


def attention_layer(Q, X, W_K, W_V, mask=None):
    scale = nn.Parameter(torch.tensor(Q.shape[-1], dtype=Q.dtype))
    A = attention_weights(Q @ (X @ W_K).mT / scale.sqrt(), mask)
    return A @ (X @ W_V), A


def attention_gradients(A, V, dY):
    A = A.clone().requires_grad_()
    dA = dY @ V.T
    return A * (dA - (A * dA).sum(1, keepdim=True)), A.T @ dY


temperature = nn.Parameter(torch.ones(()))


def attention_weights(scores, mask=None):
    scores = scores / temperature
    if mask is None:
        return scores.softmax(dim=-1)
    return scores.masked_fill(~mask, -math.inf).softmax(dim=-1).masked_fill(~mask, 0)


def masked_nll(logits, targets):
    loss = torch.tensor(0.0, requires_grad=True)
    for z, ids in zip(logits, targets, strict=True):
        real = ids != PAD
        loss = loss + nn.functional.cross_entropy(z[real], ids[real], reduction="sum")
    return loss / (targets != PAD).sum()
