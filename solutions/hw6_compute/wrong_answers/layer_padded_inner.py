"""Pads the inner layer to a multiple of 32."""

CAUGHT_BY = "test_layer_parameters"
HINT = "no size is padded"


def layer_parameters(d_model, n_heads, d_head, d_ff):
    inner, d_ff = n_heads * d_head, -(-d_ff // 32) * 32
    maps = [(d_model, inner)] * 3 + [(inner, d_model), (d_model, d_ff), (d_ff, d_model)]
    return sum(a * b + b for a, b in maps) + 4 * d_model
