"""Takes the queries for keys."""

CAUGHT_BY = "test_self_attention"
HINT = "wrong outputs for random parameters"


def self_attention(p, X, n_heads):
    T = X.shape[1]
    Q, K, V = (split_heads(X @ p[name], n_heads) for name in ("W_q", "W_q", "W_v"))
    outputs = attention(rotate(Q), rotate(K), V, causal_mask(T, T))
    return merge_heads(outputs) @ p["W_o"]
