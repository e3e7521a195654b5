"""A matrix of its own for the output brings the final LayerNorm along."""

CAUGHT_BY = "test_model_parameters"
HINT = "one is counted whatever the other is"


def model_parameters(shape):
    d = shape["d_model"]
    block = layer_parameters(d, shape["n_heads"], shape["d_head"], shape["d_ff"])
    total = shape["n_layers"] * block + d * (shape["vocab_size"] + shape["context_length"])
    if not shape["tied"]:
        total += shape["vocab_size"] * d + 2 * d
    elif shape["final_norm"]:
        total += 2 * d
    return total
