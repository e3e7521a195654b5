"""Subtracts sums of logarithms."""

CAUGHT_BY = "test_carried"
HINT = "Do not divide by gates"


def carried(f):
    sums = np.cumsum(np.log(f), axis=0)
    return np.exp(sums[-1] - sums)
