"""How much of the first cell has come to each step."""

CAUGHT_BY = "test_carried"
HINT = "how much of the first cell"


def carried(f):
    return np.vstack([np.ones((1, f.shape[1])), np.cumprod(f[1:], axis=0)])
