"""Rounds to as many significant digits as the size has: takes the zero of 0.53M for one."""

CAUGHT_BY = "test_row_problems"
HINT = "round to 0.53M"


def row_problems(row):
    problems = {"heads"} if row["n_heads"] * row["d_head"] != row["d_model"] else set()
    shape = gpt_shape(row["n_layers"], row["d_model"], row["n_heads"]) | {"d_head": row["d_head"]}
    text, unit = row["size"][:-1], {"M": 1e6, "B": 1e9}[row["size"][-1]]
    digits = len(text.replace(".", ""))
    if float(f"{model_parameters(shape) / unit:.{digits}g}") != float(text):
        problems.add("size")
    return problems
