"""Checks its arguments: sizes are whole and positive, a sequence has a position for each token, shares are shares."""


def must(fits, what):
    if not fits:
        raise ValueError(what)


def whole(*sizes):
    must(all(type(size) is int and size >= 1 for size in sizes), f"sizes are whole and positive, not {sizes}")


def checked(shape, length=1):
    must(set(shape) == set(GPT), f"a shape has the entries {sorted(GPT)}")
    must(type(shape["tied"]) is bool and type(shape["final_norm"]) is bool, "tied and final_norm are True or False")
    whole(length, *(size for key, size in shape.items() if key not in ("tied", "final_norm")))
    must(length <= shape["context_length"], f"{length} tokens, but {shape['context_length']} positions")


def attention_flops(shape, length, clever):
    checked(shape, length)
    pairs = length * (length + 1) // 2 if clever else length**2
    return 4 * shape["n_layers"] * shape["n_heads"] * shape["d_head"] * pairs


def training_flops_per_token(shape, length, clever=False):
    checked(shape, length)
    d = shape["d_model"]
    block = 4 * d * shape["n_heads"] * shape["d_head"] + 2 * d * shape["d_ff"]
    matrices = shape["n_layers"] * block + shape["vocab_size"] * d
    return 6 * matrices + 3 * attention_flops(shape, length, clever) / length


def activation_bytes(shape, batch_size, length, keep_scores=False):
    checked(shape, length)
    whole(batch_size)
    d, heads = shape["d_model"], shape["n_heads"] * shape["d_head"]
    block = 10 * d + 8 * heads + 4 * shape["d_ff"]
    if keep_scores:
        block += 5 * shape["n_heads"] * length
    return batch_size * length * (shape["n_layers"] * block + 4 * shape["vocab_size"])


def layer_parameters(d_model, n_heads, d_head, d_ff):
    whole(d_model, n_heads, d_head, d_ff)
    inner = n_heads * d_head
    maps = [(d_model, inner)] * 3 + [(inner, d_model), (d_model, d_ff), (d_ff, d_model)]
    return sum(a * b + b for a, b in maps) + 4 * d_model


def epoch_range(tokens, weight, total):
    must(tokens >= 1e9 and 0.005 < weight < 1 and total > 0, "a text of a billion tokens or more, a share, a total")
    return (weight - 0.005) * total / (tokens + 5e8), (weight + 0.005) * total / (tokens - 5e8)


def updates(n_tokens, batch_size, length):
    whole(n_tokens, batch_size, length)
    return -(-n_tokens // (batch_size * length))


def run_cost(flops, n_devices, peak, utilisation, price):
    whole(n_devices)
    must(flops > 0 and peak > 0 and 0 < utilisation <= 1 and price > 0, "a run")
    hours = flops / n_devices / peak / utilisation / 3600
    return hours / 24, hours * n_devices * price


def state_bytes(n_parameters, n_moments=2, mixed=True):
    whole(n_parameters)
    must(n_moments in (0, 1, 2) and type(mixed) is bool, "two moments, one or none; mixed precision or not")
    each, n = 2 if mixed else 4, n_parameters
    return {"weights": each * n, "gradients": each * n, "master weights": 4 * n * mixed, "moments": 4 * n_moments * n}


def kv_cache_bytes(n_layers, n_kv_heads, d_head, batch_size, length, bits=16):
    whole(n_layers, n_kv_heads, d_head, batch_size, length, bits)
    n_bytes, rest = divmod(2 * n_layers * n_kv_heads * d_head * batch_size * length * bits, 8)
    must(rest == 0, "the whole is a number of whole bytes")
    return n_bytes


def sequences_that_fit(memory_gib, fixed_bytes, bytes_per_sequence):
    must(memory_gib > 0 and fixed_bytes >= 0 and bytes_per_sequence >= 1, "memory, bytes and bytes")
    return max(0, int((memory_gib * 2**30 - fixed_bytes) // bytes_per_sequence))


def best_allocation(flops, law):
    must(set(law) == set(HOFFMANN) and flops > 0 and min(law.values()) > 0, "a budget and a law")
    must(law["alpha"] < 1 and law["beta"] < 1, "exponents below one")
    alpha, beta = law["alpha"], law["beta"]
    n = (alpha * law["A"] / (beta * law["B"]) * (flops / 6) ** beta) ** (1 / (alpha + beta))
    return n, flops / 6 / n
