"""Counts the look-up of an untied embedding as a product."""

CAUGHT_BY = "test_training_flops_per_token"
HINT = "multiplied with as one of its own is"


def training_flops_per_token(shape, length, clever=False):
    d, heads = shape["d_model"], shape["n_heads"] * shape["d_head"]
    blocks = shape["n_layers"] * (4 * d * heads + 2 * d * shape["d_ff"])
    output = shape["vocab_size"] * d
    scores = attention_flops(shape, length, clever) / length
    return 3 * (2 * (blocks + output * (2 - shape["tied"])) + scores)
