"""Computes the size of a head instead of reading it."""

CAUGHT_BY = "test_row_problems"
HINT = "such a model has 134.7 million parameters"


def row_problems(row):
    problems = {"heads"} if row["n_heads"] * row["d_head"] != row["d_model"] else set()
    shape = gpt_shape(row["n_layers"], row["d_model"], row["n_heads"])
    return problems if rounds_to(model_parameters(shape), row["size"]) else problems | {"size"}
