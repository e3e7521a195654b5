"""Takes the mean of the means of 256 examples at a time, though the last part is smaller."""

CAUGHT_BY = "test_nll"
HINT = "each counts 1/2001"


def nll(Z, targets):
    shifted = Z - Z.max(axis=1, keepdims=True)
    losses = np.log(np.exp(shifted).sum(axis=1)) - shifted[np.arange(len(Z)), targets]
    return np.mean([losses[start : start + 256].mean() for start in range(0, len(Z), 256)])
