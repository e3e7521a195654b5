"""Rounds the loss to four decimals, as one prints it."""

CAUGHT_BY = "test_nll"
HINT = "small losses are losses"


def nll(Z, targets):
    shifted = Z - Z.max(axis=1, keepdims=True)
    loss = np.log(np.exp(shifted).sum(axis=1)) - shifted[np.arange(len(Z)), targets]
    return np.round(loss.mean(), 4)
