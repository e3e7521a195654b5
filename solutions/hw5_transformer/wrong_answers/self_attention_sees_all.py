"""No mask."""

CAUGHT_BY = "test_self_attention"
HINT = "where is the causal mask"


def self_attention(p, X, n_heads):
    T = X.shape[1]
    Q, K, V = (split_heads(X @ p[name], n_heads) for name in ("W_q", "W_k", "W_v"))
    outputs = attention(rotate(Q), rotate(K), V, torch.ones(T, T, dtype=torch.bool))
    return merge_heads(outputs) @ p["W_o"]
