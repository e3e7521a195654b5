"""Gives each vector whole bytes."""

CAUGHT_BY = "test_kv_cache_bytes"
HINT = "a key and a value of half a byte each"


def kv_cache_bytes(n_layers, n_kv_heads, d_head, batch_size, length, bits=16):
    vector = math.ceil(d_head * bits / 8)
    return 2 * n_layers * n_kv_heads * batch_size * length * vector
