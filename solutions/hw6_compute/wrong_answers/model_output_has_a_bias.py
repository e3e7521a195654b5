"""Gives an output matrix of its own a bias."""

CAUGHT_BY = "test_model_parameters"
HINT = "the output matrix has no bias"


def model_parameters(shape):
    d = shape["d_model"]
    block = layer_parameters(shape["d_model"], shape["n_heads"], shape["d_head"], shape["d_ff"])
    return (
        (shape["vocab_size"] * (2 - shape["tied"]) + shape["context_length"]) * d
        + shape["n_layers"] * block
        + 2 * d * shape["final_norm"]
        + shape["vocab_size"] * (not shape["tied"])
    )
