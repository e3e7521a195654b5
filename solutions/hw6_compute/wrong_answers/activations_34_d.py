"""Knows 34 d by heart."""

CAUGHT_BY = "test_activation_bytes"
HINT = "keep_scores=False"


def activation_bytes(shape, batch_size, length, keep_scores=False):
    d = shape["d_model"]
    block = 34 * d + (5 * shape["n_heads"] * length if keep_scores else 0)
    return batch_size * length * (shape["n_layers"] * block + 4 * shape["vocab_size"])
