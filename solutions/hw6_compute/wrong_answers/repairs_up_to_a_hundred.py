"""Tries heads and sizes from 1 to 100."""

CAUGHT_BY = "test_repairs"
HINT = "512 heads"


def repairs(row):
    n, d, h, size = row["n_layers"], row["d_model"], row["n_heads"], row["d_head"]
    if h * size == d:
        return {}
    found = {"d_model": model_parameters(gpt_shape(n, h * size, h))}
    for k in range(1, 101):
        if k * size == d:
            found["n_heads"] = model_parameters(gpt_shape(n, d, k))
        if k * h == d:
            found["d_head"] = model_parameters(gpt_shape(n, d, h))
    return found
