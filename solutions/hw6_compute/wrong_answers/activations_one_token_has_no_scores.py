"""Keeps no scores where a token has no others to look at."""

CAUGHT_BY = "test_activation_bytes"
HINT = "it has a score with itself"


def activation_bytes(shape, batch_size, length, keep_scores=False):
    d, heads = shape["d_model"], shape["n_heads"] * shape["d_head"]
    block = 2 * (4 * d + 4 * heads + 2 * shape["d_ff"]) + 2 * d
    if keep_scores and length > 1:
        block += 5 * shape["n_heads"] * length
    return batch_size * length * (shape["n_layers"] * block + 4 * shape["vocab_size"])
