"""A single token has nobody to attend to: no attention for it."""

CAUGHT_BY = "test_training_flops_per_token"
HINT = "it attends to itself, which costs something"


def training_flops_per_token(shape, length, clever=False):
    d, k = shape["d_model"], shape["n_heads"] * shape["d_head"]
    matrices = shape["n_layers"] * (4 * d * k + 2 * d * shape["d_ff"]) + shape["vocab_size"] * d
    scores = attention_flops(shape, length, clever) / length if length > 1 else 0
    return 3 * (2 * matrices + scores)
