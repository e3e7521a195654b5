"""Does not look at the flag."""

CAUGHT_BY = "test_attention_flops"
HINT = "1 + 2 + ... + 100 = 5050"


def attention_flops(shape, length, clever):
    heads, size, n = shape["n_heads"], shape["d_head"], shape["n_layers"]
    return 4 * n * heads * size * length**2
