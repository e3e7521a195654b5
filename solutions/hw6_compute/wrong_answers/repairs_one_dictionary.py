"""Returns the same dictionary each time, emptied and filled anew."""

CAUGHT_BY = "test_repairs"
HINT = "make a new dictionary each time"

found = {}


def repairs(row):
    n, d, h, size = row["n_layers"], row["d_model"], row["n_heads"], row["d_head"]
    found.clear()
    if h * size != d:
        found["d_model"] = model_parameters(gpt_shape(n, h * size, h))
        if d % size == 0:
            found["n_heads"] = model_parameters(gpt_shape(n, d, d // size))
        if d % h == 0:
            found["d_head"] = model_parameters(gpt_shape(n, d, h))
    return found
