"""Takes whole numbers where there are none."""

CAUGHT_BY = "test_repairs"
HINT = "GPT-3 XL"


def repairs(row):
    n, d, h, size = row["n_layers"], row["d_model"], row["n_heads"], row["d_head"]
    if h * size == d:
        return {}
    widths = {"d_model": h * size, "n_heads": d // size * size, "d_head": d // h * h}
    return {key: model_parameters(gpt_shape(n, width, 1)) for key, width in widths.items()}
