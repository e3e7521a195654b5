"""One LayerNorm of the heads’ width, which is nearly always the same."""

CAUGHT_BY = "test_layer_parameters"
HINT = "which biases have which size?"


def layer_parameters(d_model, n_heads, d_head, d_ff):
    inner = n_heads * d_head
    maps = 3 * (d_model + 1) * inner + (inner + 1) * d_model + (d_model + 1) * d_ff + (d_ff + 1) * d_model
    return maps + 2 * d_model + 2 * inner
