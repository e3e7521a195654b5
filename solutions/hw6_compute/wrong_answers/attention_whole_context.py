"""Takes the context for the length of the sequence."""

CAUGHT_BY = "test_attention_flops"
HINT = "not as many as the context"


def attention_flops(shape, length, clever):
    heads, size, n = shape["n_heads"], shape["d_head"], shape["n_layers"]
    T = shape["context_length"]
    return 4 * n * heads * size * (T * (T + 1) // 2 if clever else T**2)
