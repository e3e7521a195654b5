"""12 d² for every block."""

CAUGHT_BY = "test_training_flops_per_token"
HINT = "wrong where n_heads · d_head is not d_model"


def training_flops_per_token(shape, length, clever=False):
    d = shape["d_model"]
    output = shape["vocab_size"] * d
    scores = attention_flops(shape, length, clever) / length
    return 3 * (2 * (12 * shape["n_layers"] * d**2 + output) + scores)
