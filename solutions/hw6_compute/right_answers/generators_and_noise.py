"""Generators, recursion, printing and warnings."""

import warnings
from functools import reduce


def model_parameters(shape):
    print("counting", shape)

    def parts():
        yield shape["vocab_size"] * shape["d_model"]
        yield shape["context_length"] * shape["d_model"]
        for _ in range(shape["n_layers"]):
            yield layer_parameters(shape["d_model"], shape["n_heads"], shape["d_head"], shape["d_ff"])
        if shape["final_norm"]:
            yield 2 * shape["d_model"]
        if not shape["tied"]:
            yield shape["vocab_size"] * shape["d_model"]

    return reduce(lambda a, b: a + b, parts())


def row_problems(row):
    warnings.warn("tables should be checked before they are printed", stacklevel=1)

    def found():
        shape = dict(gpt_shape(row["n_layers"], row["d_model"], row["n_heads"]), d_head=row["d_head"])
        if row["n_heads"] * row["d_head"] != row["d_model"]:
            yield "heads"
        if not rounds_to(model_parameters(shape), row["size"]):
            yield "size"

    return sorted(found())


def updates(n_tokens, batch_size, length):
    return -(-n_tokens // (batch_size * length))


def state_bytes(n_parameters, n_moments=2, mixed=True):
    print("AdamW" if n_moments == 2 else "SGD")
    low, high = (2, 4) if mixed else (4, 0)
    return dict(
        [("weights", low * n_parameters), ("gradients", low * n_parameters)],
        **{"master weights": high * n_parameters, "moments": sum(4 * n_parameters for _ in range(n_moments))},
    )


def best_by_search(loss, flops):
    golden = (math.sqrt(5) - 1) / 2

    def value(x):
        return loss(math.exp(x), flops / 6 * math.exp(-x))

    def narrow(a, b, c, d, at_c, at_d):  # a < c < d < b
        if b - a < 1e-5:
            return (a + b) / 2
        if at_c < at_d:
            c2 = d - golden * (d - a)
            return narrow(a, d, c2, c, value(c2), at_c)
        d2 = c + golden * (b - c)
        return narrow(c, b, d, d2, at_d, value(d2))

    a, b = math.log(1e3), math.log(1e16)
    c, d = b - golden * (b - a), a + golden * (b - a)
    n = math.exp(narrow(a, b, c, d, value(c), value(d)))
    return iter_to_list((n, flops / 6 / n))


def iter_to_list(pair):
    return [number for number in pair]
