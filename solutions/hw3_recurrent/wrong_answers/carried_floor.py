"""Takes what is below 1e-10 for zero."""

CAUGHT_BY = "test_carried"
HINT = "two hundred gates of 0.7"


def carried(f):
    f = np.asarray(f, dtype=float)
    d = np.ones(f.shape)
    for t in reversed(range(len(f) - 1)):
        d[t] = d[t + 1] * f[t + 1]
    d[d < 1e-10] = 0
    return d
