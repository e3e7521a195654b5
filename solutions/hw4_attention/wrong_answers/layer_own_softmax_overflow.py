"""A softmax of its own that overflows, in place of attention_weights."""

CAUGHT_BY = "test_attention_layer"
HINT = "must not overflow"


def attention_layer(Q, X, W_K, W_V, mask=None):
    E = Q @ (X @ W_K).mT / math.sqrt(Q.shape[-1])
    e = E.exp()
    if mask is not None:
        e = e * mask
    total = e.sum(-1, keepdim=True)
    A = e / torch.where(total == 0, 1.0, total)
    return A @ (X @ W_V), A
