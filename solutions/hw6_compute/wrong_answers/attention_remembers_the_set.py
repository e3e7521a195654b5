"""Remembers under the set of the sizes, as if blocks and tokens could be exchanged."""

CAUGHT_BY = "test_attention_flops"
HINT = "after 10 blocks and 100 tokens"

known = {}


def attention_flops(shape, length, clever):
    sizes = frozenset((shape["n_layers"], shape["n_heads"], shape["d_head"], length)), clever
    if sizes not in known:
        pairs = length * (length + 1) // 2 if clever else length**2
        known[sizes] = 4 * shape["n_layers"] * shape["n_heads"] * shape["d_head"] * pairs
    return known[sizes]
