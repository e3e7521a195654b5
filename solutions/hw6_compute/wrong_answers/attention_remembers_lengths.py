"""Remembers by length, whatever the model."""

CAUGHT_BY = "test_attention_flops"
HINT = "is something remembered?"

known = {}


def attention_flops(shape, length, clever):
    if (length, clever) not in known:
        pairs = length * (length + 1) // 2 if clever else length**2
        known[length, clever] = 4 * shape["n_layers"] * shape["n_heads"] * shape["d_head"] * pairs
    return known[length, clever]
