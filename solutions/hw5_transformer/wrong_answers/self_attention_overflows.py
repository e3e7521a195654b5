"""A softmax of its own that does not subtract the largest score."""

CAUGHT_BY = "test_self_attention"
HINT = "leave the softmax to attention_weights"


def self_attention(p, X, n_heads):
    T = X.shape[1]
    Q, K, V = (split_heads(X @ p[name], n_heads) for name in ("W_q", "W_k", "W_v"))
    e = (rotate(Q) @ rotate(K).mT / Q.shape[-1] ** 0.5).exp() * causal_mask(T, T)
    return merge_heads(e / e.sum(-1, keepdim=True) @ V) @ p["W_o"]
