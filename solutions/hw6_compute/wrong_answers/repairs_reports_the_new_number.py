"""Returns the repaired number, not the count."""

CAUGHT_BY = "test_repairs"
HINT = "if d_model alone is changed"


def repairs(row):
    d, h, size = row["d_model"], row["n_heads"], row["d_head"]
    if h * size == d:
        return {}
    found = {"d_model": h * size, "n_heads": d / size, "d_head": d / h}
    return {key: number for key, number in found.items() if number == int(number)}
