"""Repairs what is not broken."""

CAUGHT_BY = "test_repairs"
HINT = "nothing to repair"


def repairs(row):
    n, d, h, size = row["n_layers"], row["d_model"], row["n_heads"], row["d_head"]
    found = {"d_model": model_parameters(gpt_shape(n, h * size, h))}
    found |= {"n_heads": model_parameters(gpt_shape(n, d, d // size))} if d % size == 0 else {}
    return found | ({"d_head": model_parameters(gpt_shape(n, d, h))} if d % h == 0 else {})
