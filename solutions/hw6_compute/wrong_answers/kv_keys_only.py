"""Keeps keys only."""

CAUGHT_BY = "test_kv_cache_bytes"
HINT = "a key AND a value"


def kv_cache_bytes(n_layers, n_kv_heads, d_head, batch_size, length, bits=16):
    return n_layers * n_kv_heads * d_head * batch_size * length * bits // 8
