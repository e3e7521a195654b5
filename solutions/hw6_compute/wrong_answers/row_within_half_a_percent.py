"""Forgives half a percent of the size."""

CAUGHT_BY = "test_row_problems"
HINT = "the row of GPT-3 2.7B"


def row_problems(row):
    problems = {"heads"} if row["n_heads"] * row["d_head"] != row["d_model"] else set()
    shape = gpt_shape(row["n_layers"], row["d_model"], row["n_heads"]) | {"d_head": row["d_head"]}
    printed = float(row["size"][:-1]) * (1e6 if row["size"][-1] == "M" else 1e9)
    return problems if abs(model_parameters(shape) / printed - 1) < 0.005 else problems | {"size"}
