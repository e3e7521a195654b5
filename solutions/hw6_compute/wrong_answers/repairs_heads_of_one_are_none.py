"""Thinks that a head of size 1 is none."""

CAUGHT_BY = "test_repairs"
HINT = "or heads of size 1"


def repairs(row):
    n, d, h, size = row["n_layers"], row["d_model"], row["n_heads"], row["d_head"]
    if h * size == d:
        return {}
    found = {"d_model": model_parameters(gpt_shape(n, h * size, h))}
    if d % size == 0:
        found["n_heads"] = model_parameters(gpt_shape(n, d, d // size))
    if d % h == 0 and d // h > 1:
        found["d_head"] = model_parameters(gpt_shape(n, d, h))
    return found
