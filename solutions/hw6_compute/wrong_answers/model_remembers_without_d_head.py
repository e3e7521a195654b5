"""Remembers what it has counted by all sizes but the size of a head."""

CAUGHT_BY = "test_model_parameters"
HINT = "wrong if only 'd_head' differs"

known = {}


def model_parameters(shape):
    keys = ("n_layers", "d_model", "n_heads", "d_ff", "vocab_size", "context_length", "final_norm", "tied")
    key = tuple(shape[name] for name in keys)
    if key not in known:
        d = shape["d_model"]
        n = (shape["vocab_size"] + shape["context_length"]) * d
        n += shape["n_layers"] * layer_parameters(d, shape["n_heads"], shape["d_head"], shape["d_ff"])
        known[key] = n + 2 * d * shape["final_norm"] + shape["vocab_size"] * d * (not shape["tied"])
    return known[key]
