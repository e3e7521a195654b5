"""Counts the scores and forgets the weighted sums."""

CAUGHT_BY = "test_attention_flops"
HINT = "two products, scores and weighted sums"


def attention_flops(shape, length, clever):
    heads, size, n = shape["n_heads"], shape["d_head"], shape["n_layers"]
    return 2 * n * heads * size * (length * (length + 1) // 2 if clever else length**2)
