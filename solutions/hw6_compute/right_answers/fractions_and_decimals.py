"""Exact to the end: Fractions and Decimals, also as results."""

from decimal import Decimal
from fractions import Fraction


def petaflop_s_days(n_parameters, n_tokens):
    return Fraction(6) * Fraction(n_parameters) * Fraction(n_tokens) / Fraction(10**15 * 86400)


def training_flops_per_token(shape, length, clever=False):
    d, inner = shape["d_model"], shape["n_heads"] * shape["d_head"]
    matrices = shape["n_layers"] * (4 * d * inner + 2 * d * shape["d_ff"]) + d * shape["vocab_size"]
    return 6 * matrices + Fraction(3 * attention_flops(shape, length, clever), length)


def rounds_to(value, printed):
    unit = Decimal({"M": 10**6, "B": 10**9}.get(printed[-1], 1))
    number = Decimal(printed.rstrip("MB"))
    half = Decimal((0, (5,), number.as_tuple().exponent - 1))
    return bool(abs(Decimal(value) / unit - number) < half)


def epoch_range(tokens, weight, total):
    share = Fraction(weight).limit_denominator(10**6)
    half, rounding = Fraction(10**9, 2), Fraction(1, 200)
    return (
        (share - rounding) * Fraction(total) / (Fraction(tokens) + half),
        (share + rounding) * Fraction(total) / (Fraction(tokens) - half),
    )


def updates(n_tokens, batch_size, length):
    return math.ceil(Fraction(n_tokens) / (batch_size * length))


def run_cost(flops, n_devices, peak, utilisation, price):
    hours = Fraction(flops) / Fraction(peak) / Fraction(utilisation) / 3600
    return hours / n_devices / 24, hours * Fraction(price)


def affordable_flops(dollars, peak, utilisation, price):
    return Decimal(dollars) / Decimal(price) * 3600 * Decimal(peak) * Decimal(utilisation)


def state_bytes(n_parameters, n_moments=2, mixed=True):
    bits = {"weights": 16, "gradients": 16, "master weights": 32} if mixed else {"weights": 32, "gradients": 32}
    found = {key: Fraction(n_parameters * size, 8) for key, size in bits.items()}
    return {"master weights": Decimal(0), "moments": Fraction(32 * n_moments * n_parameters, 8), **found}


def kv_cache_bytes(n_layers, n_kv_heads, d_head, batch_size, length, bits=16):
    return Fraction(2 * n_layers * n_kv_heads * d_head * batch_size * length * bits, 8)


def sequences_that_fit(memory_gib, fixed_bytes, bytes_per_sequence):
    return max(0, math.floor(Fraction(memory_gib * 2**30 - fixed_bytes) / Fraction(bytes_per_sequence)))
