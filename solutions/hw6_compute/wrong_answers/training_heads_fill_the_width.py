"""Takes the four matrices of attention for d x d."""

CAUGHT_BY = "test_training_flops_per_token"
HINT = "wrong where n_heads · d_head is not d_model"


def training_flops_per_token(shape, length, clever=False):
    d = shape["d_model"]
    matrices = shape["n_layers"] * (4 * d * d + 2 * d * shape["d_ff"]) + shape["vocab_size"] * d
    return 3 * (2 * matrices + attention_flops(shape, length, clever) / length)
