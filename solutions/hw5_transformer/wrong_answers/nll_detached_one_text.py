"""Detaches the scores of a single text."""

CAUGHT_BY = "test_nll"
HINT = "gradient is wrong for targets"


def nll(Z, targets):
    counted = targets >= 0
    if len(Z) == 1:
        Z = Z.detach()
    log_p = Z[counted].log_softmax(dim=1)
    return -log_p.gather(1, targets[counted][:, None]).mean()
