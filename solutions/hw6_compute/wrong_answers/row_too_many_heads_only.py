"""Notices heads that overfill the width, not heads that leave a gap."""

CAUGHT_BY = "test_row_problems"
HINT = "the row of GPT-3 13B"


def row_problems(row):
    problems = {"heads"} if row["n_heads"] * row["d_head"] > row["d_model"] else set()
    shape = gpt_shape(row["n_layers"], row["d_model"], row["n_heads"]) | {"d_head": row["d_head"]}
    return problems if rounds_to(model_parameters(shape), row["size"]) else problems | {"size"}
