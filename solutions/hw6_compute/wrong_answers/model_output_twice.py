"""Counts the tied output matrix once more."""

CAUGHT_BY = "test_model_parameters"
HINT = "you counted it twice"


def model_parameters(shape):
    d = shape["d_model"]
    block = layer_parameters(shape["d_model"], shape["n_heads"], shape["d_head"], shape["d_ff"])
    return (
        (2 * shape["vocab_size"] + shape["context_length"]) * d
        + shape["n_layers"] * block
        + 2 * d * shape["final_norm"]
    )
