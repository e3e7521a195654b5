"""Counts whole bytes for each sequence: right only where its numbers fill them."""

CAUGHT_BY = "test_kv_cache_bytes"
HINT = "bytes are counted at the end, not for each sequence"


def kv_cache_bytes(n_layers, n_kv_heads, d_head, batch_size, length, bits=16):
    return batch_size * (2 * n_layers * n_kv_heads * d_head * length * bits // 8)
