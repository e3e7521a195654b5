"""Rounds the loss to six decimals, as one logs it."""

CAUGHT_BY = "test_nll"
HINT = "log(1 + e^-10.02)"


def nll(Z, targets):
    shifted = Z - Z.max(axis=1, keepdims=True)
    log_probabilities = shifted - np.log(np.exp(shifted).sum(axis=1, keepdims=True))
    return round(float(-log_probabilities[np.arange(len(Z)), targets].mean()), 6)
