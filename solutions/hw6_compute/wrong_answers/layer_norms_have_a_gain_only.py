"""A LayerNorm of d numbers."""

CAUGHT_BY = "test_layer_parameters"
HINT = "each with a gain and a bias"


def layer_parameters(d_model, n_heads, d_head, d_ff):
    inner = n_heads * d_head
    return 3 * (d_model + 1) * inner + (inner + 1) * d_model + (d_model + 1) * d_ff + (d_ff + 1) * d_model + 2 * d_model
