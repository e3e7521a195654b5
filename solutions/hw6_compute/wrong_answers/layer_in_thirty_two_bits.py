"""Counts in integers of 32 bits, which end at 2.1e9."""

CAUGHT_BY = "test_layer_parameters"
HINT = "more than 32 bits can count"


def layer_parameters(d_model, n_heads, d_head, d_ff):
    inner = n_heads * d_head
    n_in = np.array([d_model, d_model, d_model, inner, d_model, d_ff], dtype=np.int32)
    n_out = np.array([inner, inner, inner, d_model, d_ff, d_model], dtype=np.int32)
    return int(np.sum(n_in * n_out + n_out, dtype=np.int32)) + 4 * d_model
