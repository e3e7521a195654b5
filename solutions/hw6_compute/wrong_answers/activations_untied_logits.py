"""Keeps the logits twice where the output matrix is not tied."""

CAUGHT_BY = "test_activation_bytes"
HINT = "whether the output is tied"


def activation_bytes(shape, batch_size, length, keep_scores=False):
    d, k = shape["d_model"], shape["n_heads"] * shape["d_head"]
    block = 10 * d + 8 * k + 4 * shape["d_ff"] + (5 * shape["n_heads"] * length if keep_scores else 0)
    return batch_size * length * (shape["n_layers"] * block + 4 * shape["vocab_size"] * (1 if shape["tied"] else 2))
