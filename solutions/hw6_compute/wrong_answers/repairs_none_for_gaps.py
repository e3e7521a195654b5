"""Leaves a key in, with None."""

CAUGHT_BY = "test_repairs"
HINT = "GPT-3 XL"


def repairs(row):
    n, d, h, size = row["n_layers"], row["d_model"], row["n_heads"], row["d_head"]
    if h * size == d:
        return {}
    same = model_parameters(gpt_shape(n, d, 1))
    wide = model_parameters(gpt_shape(n, h * size, h))
    return {"d_model": wide, "n_heads": None if d % size else same, "d_head": None if d % h else same}
