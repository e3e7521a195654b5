"""Remembers what it has counted, but not by all sizes."""

CAUGHT_BY = "test_model_parameters"
HINT = "is something remembered from another model?"


known = {}


def model_parameters(shape):
    key = shape["n_layers"], shape["d_model"], shape["tied"], shape["final_norm"], shape["context_length"]
    if key not in known:
        d = shape["d_model"]
        n = (shape["vocab_size"] + shape["context_length"]) * d
        n += shape["n_layers"] * layer_parameters(d, shape["n_heads"], shape["d_head"], shape["d_ff"])
        known[key] = n + 2 * d * shape["final_norm"] + shape["vocab_size"] * d * (not shape["tied"])
    return known[key]
