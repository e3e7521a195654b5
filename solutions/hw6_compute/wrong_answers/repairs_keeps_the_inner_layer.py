"""Changes the width and leaves the inner layer as it was."""

CAUGHT_BY = "test_repairs"
HINT = "if d_model alone is changed"


def repairs(row):
    n, d, h, size = row["n_layers"], row["d_model"], row["n_heads"], row["d_head"]
    if h * size == d:
        return {}
    found = {"d_model": model_parameters(gpt_shape(n, h * size, h) | {"d_ff": 4 * d})}
    found |= {"n_heads": model_parameters(gpt_shape(n, d, d // size))} if d % size == 0 else {}
    return found | ({"d_head": model_parameters(gpt_shape(n, d, h))} if d % h == 0 else {})
