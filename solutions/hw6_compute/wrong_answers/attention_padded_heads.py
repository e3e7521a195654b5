"""Pads the heads to a multiple of eight, as fast kernels do."""

CAUGHT_BY = "test_attention_flops"
HINT = "not padded or cut off"


def attention_flops(shape, length, clever):
    pairs = length * (length + 1) // 2 if clever else length**2
    d_head = -(-shape["d_head"] // 8) * 8
    return 4 * shape["n_layers"] * shape["n_heads"] * d_head * pairs
