"""Remembers its outputs by the inputs alone, as if the parameters never changed."""

CAUGHT_BY = "test_self_attention"
HINT = "is an old result kept"


kept = {}


def self_attention(p, X, n_heads):
    T = X.shape[1]
    key = tuple(X.shape), n_heads, X.detach().numpy().tobytes()
    if key not in kept or X.requires_grad:
        Q, K, V = (split_heads(X @ p[name], n_heads) for name in ("W_q", "W_k", "W_v"))
        kept[key] = merge_heads(attention(rotate(Q), rotate(K), V, causal_mask(T, T))) @ p["W_o"]
    return kept[key]
