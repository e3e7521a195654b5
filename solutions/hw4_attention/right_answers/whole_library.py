"""What torch has: fused attention for the outputs, broadcasting layers, cross entropy, tril."""

from torch.nn.functional import bilinear, cross_entropy, pad, scaled_dot_product_attention


def dot_scores(H, s):
    return torch.linalg.vecdot(H, s.unsqueeze(1).expand_as(H))


def bilinear_scores(H, W, s):
    S = s[:, None].repeat(1, H.shape[1], 1)
    return bilinear(H.contiguous(), S, W[None]).squeeze(-1)


def mlp_scores(H, W_1, w_2, s):
    S = s[:, None].expand(*H.shape[:2], -1)
    return nn.functional.linear(nn.functional.linear(torch.cat((H, S), 2), W_1).tanh(), w_2[None])[..., 0]


def causal_mask(n_queries, n_keys):
    return torch.full((n_queries, n_keys), True).tril(diagonal=n_keys - n_queries)


def attention_layer(Q, X, W_K, W_V, mask=None):
    K, V = X @ W_K, X @ W_V
    A = attention_weights(torch.matmul(Q, K.swapaxes(-1, -2)).div(Q.shape[-1] ** 0.5), mask)
    if mask is None:
        return scaled_dot_product_attention(Q, K, V), A
    return torch.matmul(A, V), A


def decoder_inputs(targets):
    return pad(targets, (1, -1), value=BOS)


def masked_nll(logits, targets):
    return cross_entropy(logits.movedim(-1, 1), targets, ignore_index=PAD)


def attention_gradients(A, V, dY):
    V = V.detach().clone().requires_grad_()
    ((A @ V) * dY).sum().backward()
    J = torch.diag_embed(A) - A.unsqueeze(2) * A.unsqueeze(1)
    return (J @ (dY @ V.detach().T).unsqueeze(2)).squeeze(2), V.grad
