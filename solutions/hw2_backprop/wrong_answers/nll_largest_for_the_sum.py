"""Takes the largest score for the logarithm of the sum where that overflows."""

CAUGHT_BY = "test_nll"
HINT = "log(1 + 2 e^1000)"


def nll(Z, targets):
    zt = Z[np.arange(len(Z)), targets][:, None]
    r = np.log(np.exp(Z - zt).sum(1))
    return float(np.where(np.isinf(r), Z.max(1) - zt[:, 0], r).mean())
