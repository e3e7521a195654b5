"""Takes 4 d for the inner width."""

CAUGHT_BY = "test_layer_parameters"
HINT = "d_ff is an argument, use it"


def layer_parameters(d_model, n_heads, d_head, d_ff):
    inner = n_heads * d_head
    return 3 * (d_model + 1) * inner + (inner + 1) * d_model + 8 * d_model**2 + 5 * d_model + 4 * d_model
