"""Remembers under the set of the sizes, as if their order did not matter."""

CAUGHT_BY = "test_layer_parameters"
HINT = "after a width of 64 and d_ff 96"

known = {}


def layer_parameters(d_model, n_heads, d_head, d_ff):
    sizes = frozenset((d_model, n_heads, d_head, d_ff))
    if sizes not in known:
        inner = n_heads * d_head
        maps = [(d_model, inner)] * 3 + [(inner, d_model), (d_model, d_ff), (d_ff, d_model)]
        known[sizes] = sum(a * b + b for a, b in maps) + 4 * d_model
    return known[sizes]
