"""Keeps the queries as well."""

CAUGHT_BY = "test_kv_cache_bytes"
HINT = "queries are not kept"


def kv_cache_bytes(n_layers, n_kv_heads, d_head, batch_size, length, bits=16):
    return 3 * n_layers * n_kv_heads * d_head * batch_size * length * bits // 8
