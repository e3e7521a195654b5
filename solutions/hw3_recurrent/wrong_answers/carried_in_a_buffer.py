"""One array for the diagonals, used again by the next call of the same size."""

CAUGHT_BY = "test_carried"
HINT = "changed the diagonals that the first one returned"


buffers = {}


def carried(f):
    diagonals = buffers.setdefault(np.shape(f), np.ones(np.shape(f)))
    for t in reversed(range(len(f) - 1)):
        diagonals[t] = diagonals[t + 1] * f[t + 1]
    return diagonals
