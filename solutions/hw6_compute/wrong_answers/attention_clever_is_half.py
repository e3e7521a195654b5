"""Half of the square, where the diagonal is kept."""

CAUGHT_BY = "test_attention_flops"
HINT = "half of all T² pairs leaves out half of the diagonal"


def attention_flops(shape, length, clever):
    heads, size, n = shape["n_heads"], shape["d_head"], shape["n_layers"]
    return 4 * n * heads * size * length**2 / (2 if clever else 1)
