"""Forgives heads that fill the width but for a ten-thousandth."""

CAUGHT_BY = "test_row_problems"
HINT = "12288, not 12289"


def row_problems(row):
    problems = set()
    if not np.isclose(row["n_heads"] * row["d_head"], row["d_model"], rtol=1e-4):
        problems.add("heads")
    shape = gpt_shape(row["n_layers"], row["d_model"], row["n_heads"]) | {"d_head": row["d_head"]}
    if not rounds_to(model_parameters(shape), row["size"]):
        problems.add("size")
    return problems
