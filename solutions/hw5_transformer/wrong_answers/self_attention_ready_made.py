"""Does without attention and attention_weights: calls torch's function for both."""

CAUGHT_BY = "test_self_attention"
HINT = "calls a ready-made function"


def self_attention(p, X, n_heads):
    Q, K, V = (split_heads(X @ p[name], n_heads) for name in ("W_q", "W_k", "W_v"))
    outputs = torch.nn.functional.scaled_dot_product_attention(rotate(Q), rotate(K), V, is_causal=True)
    return merge_heads(outputs) @ p["W_o"]
