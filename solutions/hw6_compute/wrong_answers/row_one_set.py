"""Returns the same set each time, emptied and filled anew."""

CAUGHT_BY = "test_row_problems"
HINT = "make a new set each time"

problems = set()


def row_problems(row):
    problems.clear()
    if row["n_heads"] * row["d_head"] != row["d_model"]:
        problems.add("heads")
    shape = gpt_shape(row["n_layers"], row["d_model"], row["n_heads"]) | {"d_head": row["d_head"]}
    if not rounds_to(model_parameters(shape), row["size"]):
        problems.add("size")
    return problems
