"""Turns the array that it was given into bits."""

CAUGHT_BY = "test_excess_bits"
HINT = "changed the array"


def excess_bits(log_probs, entropy_bits):
    bits = np.asarray(log_probs, dtype=float)
    bits /= -np.log(2)
    return bits.mean() - entropy_bits
