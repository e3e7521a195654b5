"""Keeps something for each pair of tokens."""

CAUGHT_BY = "test_kv_cache_bytes"
HINT = "not for each pair of tokens"


def kv_cache_bytes(n_layers, n_kv_heads, d_head, batch_size, length, bits=16):
    return 2 * n_layers * n_kv_heads * d_head * batch_size * length**2 * bits // 8
