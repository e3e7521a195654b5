"""Does not look whether there is a final LayerNorm."""

CAUGHT_BY = "test_model_parameters"
HINT = "has no final LayerNorm"


def model_parameters(shape):
    d = shape["d_model"]
    block = layer_parameters(shape["d_model"], shape["n_heads"], shape["d_head"], shape["d_ff"])
    return (shape["vocab_size"] * (2 - shape["tied"]) + shape["context_length"]) * d + shape["n_layers"] * block + 2 * d
