"""The logarithm of a product of probabilities, which is 0 for thousands of examples."""

CAUGHT_BY = "test_nll"
HINT = "a product of so many probabilities is 0"


def nll(Z, targets):
    shifted = Z - Z.max(axis=1, keepdims=True)
    log_p = (shifted - np.log(np.exp(shifted).sum(axis=1, keepdims=True)))[np.arange(len(Z)), targets]
    return -np.log(np.prod(np.exp(log_p))) / len(Z) if log_p.min() > -500 else -log_p.mean()
