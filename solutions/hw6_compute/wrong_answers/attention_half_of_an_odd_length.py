"""Halves the length before it multiplies, and loses the half of an odd one."""

CAUGHT_BY = "test_attention_flops"
HINT = "where the number of tokens is odd"


def attention_flops(shape, length, clever):
    pairs = max(1, length // 2 * (length + 1)) if clever else length**2
    return 4 * shape["n_layers"] * shape["n_heads"] * shape["d_head"] * pairs
