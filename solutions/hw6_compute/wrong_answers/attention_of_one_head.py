"""Counts one head of each block."""

CAUGHT_BY = "test_attention_flops"
HINT = "one head of size 64"


def attention_flops(shape, length, clever):
    pairs = length * (length + 1) // 2 if clever else length**2
    return 4 * shape["n_layers"] * shape["d_head"] * pairs
