"""Leaves terms below a ten-thousandth out of the sum, so that a small loss is 0."""

CAUGHT_BY = "test_nll"
HINT = "round nothing, cut nothing off"


def nll(Z, targets):
    shifted = Z - Z.max(axis=1, keepdims=True)
    terms = np.exp(shifted)
    terms[terms < 1e-4] = 0
    return (np.log(terms.sum(axis=1)) - shifted[np.arange(len(Z)), targets]).mean()
