"""A token does not see itself."""

CAUGHT_BY = "test_attention_flops"
HINT = "a token sees itself, too"


def attention_flops(shape, length, clever):
    heads, size, n = shape["n_heads"], shape["d_head"], shape["n_layers"]
    return 4 * n * heads * size * (length * (length - 1) // 2 if clever else length**2)
