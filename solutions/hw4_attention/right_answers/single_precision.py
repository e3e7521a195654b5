"""Everything computed in float32, whatever came in; weights go back to what their scores were."""


def dot_scores(H, s):
    return torch.bmm(H.float(), s.float()[:, :, None])[:, :, 0]


def bilinear_scores(H, W, s):
    return torch.bmm(H.float(), (s.float() @ W.float().T)[:, :, None])[:, :, 0]


def scaled_scores(H, W_g, s):
    return bilinear_scores(H, W_g, s.float() * H.shape[2] ** -0.5)


def mlp_scores(H, W_1, w_2, s):
    H, W_1, w_2, s = H.float(), W_1.float(), w_2.float(), s.float()
    W_h, W_s = W_1.split([H.shape[2], s.shape[1]], dim=1)
    hidden = torch.einsum("bnh,kh->bnk", H, W_h) + torch.einsum("bs,ks->bk", s, W_s).unsqueeze(1)
    return torch.einsum("bnk,k->bn", hidden.tanh(), w_2)


def attention_weights(scores, mask=None):
    scores, given = scores.float(), scores.dtype
    mask = torch.ones(scores.shape, dtype=torch.bool) if mask is None else torch.broadcast_to(mask, scores.shape)
    kept = torch.where(mask, scores, torch.tensor(-torch.inf))
    top = kept.amax(dim=-1, keepdim=True)
    top = torch.where(top.isinf(), torch.zeros_like(top), top)
    e = torch.exp(kept - top)
    total = e.sum(dim=-1, keepdim=True)
    return (e / torch.where(total == 0, torch.ones_like(total), total)).to(given)


def context_vectors(weights, H):
    return (weights.float().unsqueeze(-1) * H.float()).sum(1)


def attention_gradients(A, V, dY):
    A, V, dY = A.float(), V.float(), dY.float()
    g = A * (dY @ V.T)
    return g - A * g.sum(1, keepdim=True), A.T @ dY


def masked_nll(logits, targets):
    return nn.functional.cross_entropy(
        logits.float().reshape(-1, logits.shape[-1]), targets.reshape(-1), ignore_index=PAD
    )


def attention_layer(Q, X, W_K, W_V, mask=None):
    Q, X, W_K, W_V = Q.float(), X.float(), W_K.float(), W_V.float()
    A = attention_weights((Q / Q.shape[-1] ** 0.5) @ (X @ W_K).transpose(-1, -2), mask)
    return A @ (X @ W_V), A
