"""Two matrices in attention, queries with keys and values with outputs in one."""

CAUGHT_BY = "test_layer_parameters"
HINT = "yours has two"


def layer_parameters(d_model, n_heads, d_head, d_ff):
    inner = n_heads * d_head
    return 2 * (d_model + 1) * inner + (d_model + 1) * d_ff + (d_ff + 1) * d_model + 4 * d_model
