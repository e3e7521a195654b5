"""The forward pass alone."""

CAUGHT_BY = "test_training_flops_per_token"
HINT = "that is the forward pass alone"


def training_flops_per_token(shape, length, clever=False):
    d, heads = shape["d_model"], shape["n_heads"] * shape["d_head"]
    blocks = shape["n_layers"] * (4 * d * heads + 2 * d * shape["d_ff"])
    output = shape["vocab_size"] * d
    scores = attention_flops(shape, length, clever) / length
    return 2 * (blocks + output) + scores
