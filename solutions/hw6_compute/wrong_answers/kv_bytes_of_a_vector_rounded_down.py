"""Divides the bits of a key of all heads by 8 before it doubles: loses half a byte."""

CAUGHT_BY = "test_kv_cache_bytes"
HINT = "a key and a value of half a byte each"


def kv_cache_bytes(n_layers, n_kv_heads, d_head, batch_size, length, bits=16):
    vector = n_kv_heads * d_head * bits // 8
    return 2 * n_layers * batch_size * length * vector
