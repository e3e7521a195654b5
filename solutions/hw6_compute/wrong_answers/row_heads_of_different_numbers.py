"""Multiplies the set of heads and size, in which two equal numbers are one."""

CAUGHT_BY = "test_row_problems"
HINT = "8 heads of size 8 fill 64"


def row_problems(row):
    problems = set()
    if math.prod({row["n_heads"], row["d_head"]}) != row["d_model"]:
        problems.add("heads")
    shape = gpt_shape(row["n_layers"], row["d_model"], row["n_heads"]) | {"d_head": row["d_head"]}
    if not rounds_to(model_parameters(shape), row["size"]):
        problems.add("size")
    return problems
