"""Normalises the scores over the positions of a sequence where there are as many as tokens."""

CAUGHT_BY = "test_nll"
HINT = "B, T, V = (3, 3, 3)"


def nll(Z, targets):
    counted = targets >= 0
    log_p = Z.log_softmax(dim=1 if Z.shape[1] == Z.shape[2] else -1)[counted]
    return -log_p.gather(1, targets[counted][:, None]).mean()
