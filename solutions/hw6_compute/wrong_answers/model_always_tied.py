"""Does not look whether the output is tied."""

CAUGHT_BY = "test_model_parameters"
HINT = "you counted it as if it were tied"


def model_parameters(shape):
    d = shape["d_model"]
    block = layer_parameters(shape["d_model"], shape["n_heads"], shape["d_head"], shape["d_ff"])
    return (shape["vocab_size"] + shape["context_length"]) * d + shape["n_layers"] * block + 2 * d * shape["final_norm"]
