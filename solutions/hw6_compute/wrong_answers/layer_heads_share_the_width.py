"""Takes d_model for n_heads · d_head, but d_ff as given."""

CAUGHT_BY = "test_layer_parameters"
HINT = "24 heads of size 128 are 3072 numbers"


def layer_parameters(d_model, n_heads, d_head, d_ff):
    return 4 * (d_model + 1) * d_model + (d_model + 1) * d_ff + (d_ff + 1) * d_model + 4 * d_model
