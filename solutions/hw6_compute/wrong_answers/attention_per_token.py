"""For one token, not for the sequence."""

CAUGHT_BY = "test_attention_flops"
HINT = "that is for one token"


def attention_flops(shape, length, clever):
    heads, size, n = shape["n_heads"], shape["d_head"], shape["n_layers"]
    return 4 * n * heads * size * ((length + 1) / 2 if clever else length)
