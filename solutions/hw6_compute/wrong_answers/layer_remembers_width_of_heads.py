"""Keeps results under the widths of the model and of its heads, without d_ff."""

CAUGHT_BY = "test_layer_parameters"
HINT = "is something remembered"

known = {}


def layer_parameters(d_model, n_heads, d_head, d_ff):
    d, k = d_model, n_heads * d_head
    if (d, k) not in known:
        known[d, k] = 3 * (d * k + k) + k * d + d + 2 * d * d_ff + d_ff + d + 4 * d
    return known[d, k]
