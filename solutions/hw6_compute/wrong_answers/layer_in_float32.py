"""Counts in floats of 32 bits, which are exact only up to 2^24."""

CAUGHT_BY = "test_layer_parameters"
HINT = "a float of 32 bits"


def layer_parameters(d_model, n_heads, d_head, d_ff):
    k = n_heads * d_head
    sizes = np.array(
        [3 * d_model * k, 3 * k, k * d_model, d_model, d_model * d_ff, d_ff, d_ff * d_model, d_model, 4 * d_model]
    )
    return float(sizes.astype(np.float32).sum(dtype=np.float32))
