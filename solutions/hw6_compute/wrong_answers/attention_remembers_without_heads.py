"""Remembers by blocks, width and length: the heads may differ."""

CAUGHT_BY = "test_attention_flops"
HINT = "wrong if only 'n_heads' differs"

known = {}


def attention_flops(shape, length, clever):
    key = shape["n_layers"], shape["d_model"], length, clever
    if key not in known:
        pairs = length * (length + 1) // 2 if clever else length**2
        known[key] = 4 * shape["n_layers"] * shape["n_heads"] * shape["d_head"] * pairs
    return known[key]
