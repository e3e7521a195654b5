"""Multiplies up in the gates themselves."""

CAUGHT_BY = "test_carried"
HINT = "carried changed the gates"


def carried(f):
    for t in reversed(range(len(f) - 1)):
        f[t] *= f[t + 1]
    return np.vstack([f[1:], np.ones((1, f.shape[1]))])
