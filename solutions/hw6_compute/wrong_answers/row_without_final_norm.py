"""Forgets that the models of the table have a final LayerNorm, which hardly any printed size shows."""

CAUGHT_BY = "test_row_problems"
HINT = "the final LayerNorm included"


def row_problems(row):
    problems = set()
    if row["n_heads"] * row["d_head"] != row["d_model"]:
        problems.add("heads")
    shape = gpt_shape(row["n_layers"], row["d_model"], row["n_heads"], final_norm=False) | {"d_head": row["d_head"]}
    if not rounds_to(model_parameters(shape), row["size"]):
        problems.add("size")
    return problems
