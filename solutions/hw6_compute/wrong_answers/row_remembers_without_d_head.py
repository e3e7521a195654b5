"""Keeps what it found, under a name that lacks the size of the heads."""

CAUGHT_BY = "test_row_problems"
HINT = "40 heads of size 64"

found = {}


def row_problems(row):
    key = row["size"], row["n_layers"], row["d_model"], row["n_heads"]
    if key not in found:
        problems = set()
        if row["n_heads"] * row["d_head"] != row["d_model"]:
            problems.add("heads")
        shape = gpt_shape(row["n_layers"], row["d_model"], row["n_heads"]) | {"d_head": row["d_head"]}
        if not rounds_to(model_parameters(shape), row["size"]):
            problems.add("size")
        found[key] = problems
    return set(found[key])
