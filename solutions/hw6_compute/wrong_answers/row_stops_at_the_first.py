"""Stops at the first problem."""

CAUGHT_BY = "test_row_problems"
HINT = "the row of GPT-3 XL"


def row_problems(row):
    if row["n_heads"] * row["d_head"] != row["d_model"]:
        return {"heads"}
    shape = gpt_shape(row["n_layers"], row["d_model"], row["n_heads"]) | {"d_head": row["d_head"]}
    return set() if rounds_to(model_parameters(shape), row["size"]) else {"size"}
