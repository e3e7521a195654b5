"""Keeps the input of queries, keys and values three times."""

CAUGHT_BY = "test_activation_bytes"
HINT = "given the same input: kept once"


def activation_bytes(shape, batch_size, length, keep_scores=False):
    d, heads = shape["d_model"], shape["n_heads"] * shape["d_head"]
    block = 2 * (6 * d + 4 * heads + 2 * shape["d_ff"]) + 2 * d + (5 * shape["n_heads"] * length if keep_scores else 0)
    return batch_size * length * (shape["n_layers"] * block + 4 * shape["vocab_size"])
