"""Takes d_model for n_heads · d_head."""

CAUGHT_BY = "test_attention_flops"
HINT = "blocks"


def attention_flops(shape, length, clever):
    n = shape["n_layers"]
    return 4 * n * shape["d_model"] * (length * (length + 1) // 2 if clever else length**2)
