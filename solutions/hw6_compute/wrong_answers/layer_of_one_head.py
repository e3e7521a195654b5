"""Takes the size of a head for that of all heads."""

CAUGHT_BY = "test_layer_parameters"
HINT = "7 087 872"


def layer_parameters(d_model, n_heads, d_head, d_ff):
    maps = 3 * (d_model + 1) * d_head + (d_head + 1) * d_model
    return maps + (d_model + 1) * d_ff + (d_ff + 1) * d_model + 4 * d_model
