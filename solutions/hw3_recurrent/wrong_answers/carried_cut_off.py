"""Takes what is below a billionth for zero."""

CAUGHT_BY = "test_carried"
HINT = "two hundred gates of 0.7"


def carried(f):
    diagonals = np.ones(np.shape(f))
    for t in reversed(range(len(f) - 1)):
        diagonals[t] = diagonals[t + 1] * f[t + 1]
    diagonals[diagonals < 1e-9] = 0
    return diagonals
