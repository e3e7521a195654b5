"""Makes the inner layer four times the heads’ width."""

CAUGHT_BY = "test_row_problems"
HINT = "such a model has 134.7 million parameters"


def row_problems(row):
    inner = row["n_heads"] * row["d_head"]
    shape = gpt_shape(row["n_layers"], row["d_model"], row["n_heads"]) | {"d_head": row["d_head"], "d_ff": 4 * inner}
    found = {"heads"} if inner != row["d_model"] else set()
    return found if rounds_to(model_parameters(shape), row["size"]) else found | {"size"}
