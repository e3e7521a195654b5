"""Multiplies the sizes in an array of 32-bit floats."""

CAUGHT_BY = "test_kv_cache_bytes"
HINT = "a float of 32 bits"


def kv_cache_bytes(n_layers, n_kv_heads, d_head, batch_size, length, bits=16):
    sizes = [2, n_layers, n_kv_heads, d_head, batch_size, length]
    return int(np.prod(np.array(sizes, dtype=np.float32)) * bits / 8)
