"""Multiplies in long double, which ends some thousand factors later than a float."""

CAUGHT_BY = "test_log_probability"
HINT = "factors"  # 10 000 of them, or 400 where a long double is no longer than a float


def log_probability(factors):
    p = np.prod(np.array([float(f) for f in factors], dtype=np.longdouble))
    return float(np.log(p)) if p > 0 else -math.inf
