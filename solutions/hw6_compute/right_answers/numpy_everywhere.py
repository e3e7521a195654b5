"""Arrays for everything: dot products, grids, numpy numbers as results."""


def linear_parameters(n_in, n_out, bias=True):
    return np.int64(n_in) * n_out + np.where(bias, n_out, 0)


def toy_by_hand():
    block = np.array([4 * (36 + 6), 2 * 6 * 24 + 24 + 6, 24])
    numbers = [15 * 6, *block, 15 * 6 + 2 * block.sum() + 12]
    return dict(zip(["embeddings", "attention", "feed-forward", "norms", "all"], np.array(numbers), strict=True))


def layer_parameters(d_model, n_heads, d_head, d_ff):
    inner = n_heads * d_head
    n_in = np.array([d_model, d_model, d_model, inner, d_model, d_ff], dtype=np.int64)
    n_out = np.array([inner, inner, inner, d_model, d_ff, d_model], dtype=np.int64)
    return n_in @ n_out + n_out.sum() + 4 * d_model


def petaflop_s_days(n_parameters, n_tokens):
    return np.exp(np.log([6.0, n_parameters, n_tokens, 1 / 8.64e19]).sum())


def attention_flops(shape, length, clever):
    seen = np.tri(length).sum() if clever else np.ones((length, length)).sum()
    return np.float64(4 * seen * np.prod([shape[key] for key in ("n_layers", "n_heads", "d_head")]))


def rounds_to(value, printed):
    digits, unit = printed.rstrip("MB"), {"M": 1e6, "B": 1e9}.get(printed[-1], 1.0)
    return np.less(np.abs(np.divide(value, unit) - float(digits)), 0.5 * 10.0 ** -len(digits.partition(".")[2]))


def epoch_range(tokens, weight, total):
    weights = np.array([weight - 0.005, weight + 0.005])
    sizes = np.array([tokens + 5e8, tokens - 5e8])
    return weights * total / sizes


def updates(n_tokens, batch_size, length):
    return np.ceil(n_tokens / (batch_size * length))


def run_cost(flops, n_devices, peak, utilisation, price):
    hours = flops / np.float64(n_devices) / peak / utilisation / 3600
    return np.array([hours / 24, hours * n_devices * price], dtype=np.float32)


def affordable_flops(dollars, peak, utilisation, price):
    return np.float32(dollars) * np.float32(peak) * np.float32(utilisation * 3600 / price)


def best_by_search(loss, flops):
    low, high = 3.0, 16.0
    for _ in range(3):
        powers = np.linspace(low, high, 201)
        n = 10**powers
        at = int(np.argmin(loss(n, flops / 6 / n)))
        low, high = powers[max(0, at - 2)], powers[min(200, at + 2)]
    return n[at], flops / 6 / n[at]
