"""Bits for bytes."""

CAUGHT_BY = "test_kv_cache_bytes"
HINT = "a byte has 8 of them"


def kv_cache_bytes(n_layers, n_kv_heads, d_head, batch_size, length, bits=16):
    return 2 * n_layers * n_kv_heads * d_head * batch_size * length * bits
