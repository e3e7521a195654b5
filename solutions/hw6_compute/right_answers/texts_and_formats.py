"""Rounds with Python's formats, counts with floats, returns lists for pairs."""


def rounds_to(value, printed):
    unit = {"M": 1e6, "B": 1e9}.get(printed[-1], 1)
    digits = printed.rstrip("MB")
    decimals = len(digits) - digits.index(".") - 1 if "." in digits else 0
    return f"{value / unit:.{decimals}f}" == digits


def layer_parameters(d_model, n_heads, d_head, d_ff):
    inner = float(n_heads * d_head)
    return 4.0 * d_model * inner + 2.0 * d_model * d_ff + 3 * inner + d_model + d_ff + d_model + 4 * d_model


def epoch_range(tokens, weight, total):
    corners = [
        (weight + by_weight) * total / (tokens + by_tokens)
        for by_weight in (-0.005, 0.005)
        for by_tokens in (-0.5e9, 0.5e9)
    ]
    return [min(corners), max(corners)]


def sequences_that_fit(memory_gib, fixed_bytes, bytes_per_sequence):
    room = memory_gib * 2**30 - fixed_bytes
    return float(room // bytes_per_sequence) if room > 0 else 0.0


def kv_cache_bytes(n_layers, n_kv_heads, d_head, batch_size, length, bits=16):
    bytes_per_number = bits / 8
    return batch_size * length * n_layers * (n_kv_heads * d_head + n_kv_heads * d_head) * bytes_per_number


def best_allocation(flops, law):
    A, B, alpha, beta = law["A"], law["B"], law["alpha"], law["beta"]
    low, high = -200.0, 300.0  # log N; the slope of the loss along the budget rises with it
    for _ in range(200):
        middle = (low + high) / 2
        d = math.log(flops / 6) - middle
        if math.log(alpha * A) - alpha * middle > math.log(beta * B) - beta * d:
            low = middle
        else:
            high = middle
    return [math.exp(middle), math.exp(math.log(flops / 6) - middle)]
