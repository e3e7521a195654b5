"""Forgets the position vectors."""

CAUGHT_BY = "test_model_parameters"
HINT = "has a learned vector of size d"


def model_parameters(shape):
    d = shape["d_model"]
    block = layer_parameters(shape["d_model"], shape["n_heads"], shape["d_head"], shape["d_ff"])
    return (shape["vocab_size"] * (2 - shape["tied"])) * d + shape["n_layers"] * block + 2 * d * shape["final_norm"]
