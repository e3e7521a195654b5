"""Remembers no more than 64 places: whoever stands behind them does not see the first."""

CAUGHT_BY = "test_self_attention"
HINT = "(1, 150, 4, 1)"


def self_attention(p, X, n_heads):
    T = X.shape[1]
    Q, K, V = (split_heads(X @ p[name], n_heads) for name in ("W_q", "W_k", "W_v"))
    outputs = attention(rotate(Q), rotate(K), V, causal_mask(T, T).triu(-63))
    return merge_heads(outputs) @ p["W_o"]
