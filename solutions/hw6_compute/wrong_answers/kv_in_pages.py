"""Keeps long sequences in pages of 16 tokens, the last of which is not full."""

CAUGHT_BY = "test_kv_cache_bytes"
HINT = "not padded or cut off"


def kv_cache_bytes(n_layers, n_kv_heads, d_head, batch_size, length, bits=16):
    if length > 200:
        length = -(-length // 16) * 16
    return 2 * n_layers * n_kv_heads * d_head * batch_size * length * bits // 8
