"""Takes what it reads out of the dictionary."""

CAUGHT_BY = "test_model_parameters"
HINT = "changed the dictionary"


def model_parameters(shape):
    d = shape.pop("d_model")
    block = layer_parameters(d, shape.pop("n_heads"), shape.pop("d_head"), shape.pop("d_ff"))
    vectors = shape["vocab_size"] * (2 - shape["tied"]) + shape["context_length"]
    return vectors * d + shape["n_layers"] * block + 2 * d * shape["final_norm"]
