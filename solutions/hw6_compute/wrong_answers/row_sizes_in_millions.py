"""Turns billions into millions before it rounds: 13B becomes 13000M, which promises three digits more."""

CAUGHT_BY = "test_row_problems"
HINT = "12.853 billion parameters round to 13B"


def row_problems(row):
    problems = set()
    if row["n_heads"] * row["d_head"] != row["d_model"]:
        problems.add("heads")
    shape = gpt_shape(row["n_layers"], row["d_model"], row["n_heads"]) | {"d_head": row["d_head"], "tied": True}
    n = model_parameters(shape)
    size = row["size"]
    if size[-1] == "B":
        size = f"{float(size[:-1]) * 1000:.0f}M" if "." not in size else size
    if not rounds_to(n, size):
        problems.add("size")
    return problems
