"""Clips probabilities at 1e-12, so no loss is above 27.6 nats."""

CAUGHT_BY = "test_nll"
HINT = "Stay with logarithms"


def nll(Z, targets):
    return -np.log(np.maximum(softmax(Z)[np.arange(len(Z)), targets], 1e-12)).mean()
