"""Trains on sequences of the whole context."""

CAUGHT_BY = "test_training_flops_per_token"
HINT = "context_length adds position vectors"


def training_flops_per_token(shape, length, clever=False):
    d, heads = shape["d_model"], shape["n_heads"] * shape["d_head"]
    blocks = shape["n_layers"] * (4 * d * heads + 2 * d * shape["d_ff"])
    output = shape["vocab_size"] * d
    length = shape["context_length"]
    scores = attention_flops(shape, length, clever) / length
    return 3 * (2 * (blocks + output) + scores)
