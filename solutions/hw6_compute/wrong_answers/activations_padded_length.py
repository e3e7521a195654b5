"""Pads long sequences to a multiple of 128."""

CAUGHT_BY = "test_activation_bytes"
HINT = "not padded or cut off"


def activation_bytes(shape, batch_size, length, keep_scores=False):
    if length > 1000:
        length = -(-length // 128) * 128
    d, heads = shape["d_model"], shape["n_heads"] * shape["d_head"]
    block = 10 * d + 8 * heads + 4 * shape["d_ff"] + (5 * shape["n_heads"] * length if keep_scores else 0)
    return batch_size * length * (shape["n_layers"] * block + 4 * shape["vocab_size"])
