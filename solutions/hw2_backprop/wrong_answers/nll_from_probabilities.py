"""Takes the logarithm of a softmax, which may be 0."""

CAUGHT_BY = "test_nll"
HINT = "Stay with logarithms"


def nll(Z, targets):
    return -np.log(softmax(Z)[np.arange(len(Z)), targets]).mean()
