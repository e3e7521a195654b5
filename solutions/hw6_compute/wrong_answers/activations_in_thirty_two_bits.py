"""Counts in integers of 32 bits, which end at 2.1e9: one sequence of a large model has more bytes."""

CAUGHT_BY = "test_activation_bytes"
HINT = "more than 32 bits can count"


def activation_bytes(shape, batch_size, length, keep_scores=False):
    d, heads = shape["d_model"], shape["n_heads"] * shape["d_head"]
    block = 2 * (4 * d + 4 * heads + 2 * shape["d_ff"]) + 2 * d + (5 * shape["n_heads"] * length if keep_scores else 0)
    return np.prod([batch_size, length, shape["n_layers"] * block + 4 * shape["vocab_size"]], dtype=np.int32)
