"""Reads the dictionary by the order of its keys."""

CAUGHT_BY = "test_model_parameters"
HINT = "wrong for {"


def model_parameters(shape):
    n_layers, d, n_heads, d_head, d_ff, vocab_size, context_length, final_norm, tied = shape.values()
    block = layer_parameters(d, n_heads, d_head, d_ff)
    return (vocab_size * (2 - tied) + context_length) * d + n_layers * block + 2 * d * final_norm
