"""Counts whole bytes for each token of a block: right only where its numbers fill them."""

CAUGHT_BY = "test_kv_cache_bytes"
HINT = "bytes are counted at the end"


def kv_cache_bytes(n_layers, n_kv_heads, d_head, batch_size, length, bits=16):
    return n_layers * batch_size * length * (2 * n_kv_heads * d_head * bits // 8)
