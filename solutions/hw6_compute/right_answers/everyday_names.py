"""Helpers with everyday names, those that a test might use too."""


def count(d, k, f):
    return 3 * (d * k + k) + k * d + d + 2 * d * f + f + d + 4 * d


def check(x):
    return 2 * x


def close(a, b):
    return abs(a - b) < 0.5


def expected(row):
    return row["d_model"] == row["n_heads"] * row["d_head"]


def shape(n, d, k):
    return n * count(d, k, 4 * d) + (50257 + 2048 + 2) * d


def layer_parameters(d_model, n_heads, d_head, d_ff):
    return count(d_model, n_heads * d_head, d_ff)


def attention_flops(shape, length, clever):
    right = shape["n_layers"] * shape["n_heads"] * shape["d_head"]
    pairs = sum(range(1, length + 1)) if clever else length * length
    return check(check(right * pairs))


def rounds_to(value, printed):
    left, _, right = printed.partition(".")
    scale = {"M": 1e6, "B": 1e9}.get(printed[-1], 1)
    decimals = sum(c.isdigit() for c in right)
    return close(value / scale * 10**decimals, float((left + right).strip("MB")))


def row_problems(row):
    got = shape(row["n_layers"], row["d_model"], row["n_heads"] * row["d_head"])
    return {name for name, fine in (("heads", expected(row)), ("size", rounds_to(got, row["size"]))) if not fine}


def repairs(row):
    n, d, h, size = (row[key] for key in ("n_layers", "d_model", "n_heads", "d_head"))
    if expected(row):
        return {}
    widths = {"d_model": h * size, "n_heads": d if d % size == 0 else 0, "d_head": d if d % h == 0 else 0}
    return {key: shape(n, width, width) for key, width in widths.items() if width}
