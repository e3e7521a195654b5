"""Arrays of one number where a number would do."""


def layer_parameters(d_model, n_heads, d_head, d_ff):
    k = n_heads * d_head
    rows = np.array([[d_model, k]] * 3 + [[k, d_model], [d_model, d_ff], [d_ff, d_model]])
    return np.prod(rows + [[1, 0]], axis=1).sum(keepdims=True) + 4 * d_model


def training_flops_per_token(shape, length, clever=False):
    d, k = shape["d_model"], shape["n_heads"] * shape["d_head"]
    matrices = shape["n_layers"] * (4 * d * k + 2 * d * shape["d_ff"]) + shape["vocab_size"] * d
    parts = np.array([2.0 * matrices, attention_flops(shape, length, clever) / length])
    return 3 * parts.sum(keepdims=True)


def petaflop_s_days(n_parameters, n_tokens):
    return np.prod(np.array([[6.0, n_parameters, n_tokens]]), axis=1) / 8.64e19
