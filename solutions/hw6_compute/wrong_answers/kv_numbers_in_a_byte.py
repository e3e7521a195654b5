"""A number has whole bytes, or a byte has a whole number of numbers."""

CAUGHT_BY = "test_kv_cache_bytes"
HINT = "of 6 bits"


def kv_cache_bytes(n_layers, n_kv_heads, d_head, batch_size, length, bits=16):
    n = 2 * n_layers * n_kv_heads * d_head * batch_size * length
    return n * (bits // 8) if bits >= 8 else n // (8 // bits)
