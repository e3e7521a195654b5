"""Makes the targets numbers of one byte: right below 256 classes."""

CAUGHT_BY = "test_nll"
HINT = "can your targets be as large as that"


def nll(Z, targets):
    shifted = Z - Z.max(axis=1, keepdims=True)
    return np.mean(np.log(np.exp(shifted).sum(axis=1)) - shifted[np.arange(len(Z)), np.asarray(targets, np.uint8)])
