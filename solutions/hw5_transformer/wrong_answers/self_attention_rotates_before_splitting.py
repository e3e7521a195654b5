"""Rotates the whole width, so that the second head has other frequencies than the first."""

CAUGHT_BY = "test_self_attention"
HINT = "wrong outputs for random parameters"


def self_attention(p, X, n_heads):
    T = X.shape[1]
    Q, K, V = (X @ p[name] for name in ("W_q", "W_k", "W_v"))
    Q, K, V = (split_heads(x, n_heads) for x in (rotate(Q), rotate(K), V))
    outputs = attention(Q, K, V, causal_mask(T, T))
    return merge_heads(outputs) @ p["W_o"]
