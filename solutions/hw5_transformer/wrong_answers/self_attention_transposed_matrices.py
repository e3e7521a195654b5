"""Multiplies by the transposed matrices, as in the formula for columns."""

CAUGHT_BY = "test_self_attention"
HINT = "the first position sees itself only"


def self_attention(p, X, n_heads):
    T = X.shape[1]
    Q, K, V = (split_heads(X @ p[name].T, n_heads) for name in ("W_q", "W_k", "W_v"))
    outputs = attention(rotate(Q), rotate(K), V, causal_mask(T, T))
    return merge_heads(outputs) @ p["W_o"]
