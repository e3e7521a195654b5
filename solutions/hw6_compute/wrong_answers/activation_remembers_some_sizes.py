"""Keeps results under some of the sizes that they hang on."""

CAUGHT_BY = "test_activation_bytes"
HINT = "is something remembered"

known = {}


def activation_bytes(shape, batch_size, length, keep_scores=False):
    key = shape["n_layers"], shape["d_model"], batch_size, length, keep_scores
    if key not in known:
        d, h = shape["d_model"], shape["n_heads"]
        numbers = 2 * (4 * d + 4 * h * shape["d_head"] + 2 * shape["d_ff"]) + 2 * d
        pairs = 5 * h * length if keep_scores else 0
        known[key] = batch_size * length * (shape["n_layers"] * (numbers + pairs) + 4 * shape["vocab_size"])
    return known[key]
