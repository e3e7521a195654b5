"""Each head with vectors of d_model."""

CAUGHT_BY = "test_attention_flops"
HINT = "not of size d_model"


def attention_flops(shape, length, clever):
    heads, size, n = shape["n_heads"], shape["d_head"], shape["n_layers"]
    return 4 * n * heads * shape["d_model"] * (length * (length + 1) // 2 if clever else length**2)
