"""Counts examples that are equal only once."""

CAUGHT_BY = "test_nll"
HINT = "those that are repeated, too"


def nll(Z, targets):
    Z = Z - Z.max(1, keepdims=True)
    L = np.log(np.exp(Z).sum(1)) - Z[np.arange(len(Z)), targets]
    d = {(int(t), tuple(z)): l for z, t, l in zip(Z.tolist(), targets, L, strict=False)}
    return float(np.mean(list(d.values())))
