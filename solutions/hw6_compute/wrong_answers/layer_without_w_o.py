"""Forgets W_o."""

CAUGHT_BY = "test_layer_parameters"
HINT = "one of attention's four maps is missing"


def layer_parameters(d_model, n_heads, d_head, d_ff):
    inner = n_heads * d_head
    return 3 * (d_model * inner + inner) + 2 * d_model * d_ff + d_ff + d_model + 4 * d_model
