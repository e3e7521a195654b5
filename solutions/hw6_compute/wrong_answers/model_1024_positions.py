"""Has the context of GPT-2 in its head."""

CAUGHT_BY = "test_model_parameters"
HINT = "1024 positions, whatever the context_length"


def model_parameters(shape):
    d = shape["d_model"]
    block = layer_parameters(shape["d_model"], shape["n_heads"], shape["d_head"], shape["d_ff"])
    return (
        (shape["vocab_size"] * (2 - shape["tied"]) + 1024) * d + shape["n_layers"] * block + 2 * d * shape["final_norm"]
    )
