"""Keeps results under some of the sizes that they hang on."""

CAUGHT_BY = "test_training_flops_per_token"
HINT = "is something remembered"

known = {}


def training_flops_per_token(shape, length, clever=False):
    key = shape["n_layers"], shape["d_model"], shape["vocab_size"], length, clever
    if key not in known:
        d, k = shape["d_model"], shape["n_heads"] * shape["d_head"]
        keys = (length + 1) / 2 if clever else length
        block = 8 * d * k + 4 * d * shape["d_ff"] + 4 * k * keys
        known[key] = 3 * (shape["n_layers"] * block + 2 * d * shape["vocab_size"])
    return known[key]
