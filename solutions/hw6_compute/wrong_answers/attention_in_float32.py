"""Multiplies the sizes in an array of 32-bit floats."""

CAUGHT_BY = "test_attention_flops"
HINT = "a float of 32 bits"


def attention_flops(shape, length, clever):
    pairs = length * (length + 1) // 2 if clever else length**2
    sizes = [4, shape["n_layers"], shape["n_heads"], shape["d_head"], pairs]
    return int(np.prod(np.array(sizes, dtype=np.float32)))
