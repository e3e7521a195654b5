"""Knows 12 d² + 13 d by heart."""

CAUGHT_BY = "test_layer_parameters"
HINT = "24 heads of size 128 are 3072 numbers"


def layer_parameters(d_model, n_heads, d_head, d_ff):
    return 12 * d_model**2 + 13 * d_model
