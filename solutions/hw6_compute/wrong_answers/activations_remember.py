"""Remembers by batch and length, whatever the model."""

CAUGHT_BY = "test_activation_bytes"
HINT = "is something remembered?"

known = {}


def activation_bytes(shape, batch_size, length, keep_scores=False):
    key = batch_size, length, keep_scores
    if key not in known:
        d, k = shape["d_model"], shape["n_heads"] * shape["d_head"]
        block = 10 * d + 8 * k + 4 * shape["d_ff"] + (5 * shape["n_heads"] * length if keep_scores else 0)
        known[key] = batch_size * length * (shape["n_layers"] * block + 4 * shape["vocab_size"])
    return known[key]
