"""Two bytes for a number, whatever its bits."""

CAUGHT_BY = "test_kv_cache_bytes"
HINT = "numbers of 8 bits"


def kv_cache_bytes(n_layers, n_kv_heads, d_head, batch_size, length, bits=16):
    return 4 * n_layers * n_kv_heads * d_head * batch_size * length
