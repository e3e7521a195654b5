"""At least one byte for a number."""

CAUGHT_BY = "test_kv_cache_bytes"
HINT = "numbers of 4 bits"


def kv_cache_bytes(n_layers, n_kv_heads, d_head, batch_size, length, bits=16):
    return 2 * n_layers * n_kv_heads * d_head * batch_size * length * max(1, bits // 8)
