"""Counts matrices and LayerNorms only."""

CAUGHT_BY = "test_layer_parameters"
HINT = "the six linear maps have biases"


def layer_parameters(d_model, n_heads, d_head, d_ff):
    return 4 * d_model * n_heads * d_head + 2 * d_model * d_ff + 4 * d_model
