"""Counts in integers of 32 bits, which end at 2.1e9."""

CAUGHT_BY = "test_attention_flops"
HINT = "more than 32 bits can count"


def attention_flops(shape, length, clever):
    pairs = length * (length + 1) // 2 if clever else length**2
    factors = [4, shape["n_layers"], shape["n_heads"], shape["d_head"], int(pairs)]
    return np.prod(factors, dtype=np.int32)
