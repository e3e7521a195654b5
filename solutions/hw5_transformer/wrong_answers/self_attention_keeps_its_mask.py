"""Puts its mask among the parameters that it was given."""

CAUGHT_BY = "test_self_attention"
HINT = "changed its input or the parameters"


def self_attention(p, X, n_heads):
    T = X.shape[1]
    p["mask"] = causal_mask(T, T)
    Q, K, V = (split_heads(X @ p[name], n_heads) for name in ("W_q", "W_k", "W_v"))
    outputs = attention(rotate(Q), rotate(K), V, p["mask"])
    return merge_heads(outputs) @ p["W_o"]
