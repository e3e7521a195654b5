"""Multiplies by 0 what does not count: right until a score there is infinite."""

CAUGHT_BY = "test_nll"
HINT = "changed the scores or the targets"


def nll(Z, targets):
    counted = targets >= 0
    targets[~counted] = 0
    log_p = Z[counted].log_softmax(dim=1)  # (N, V)
    return -log_p.gather(1, targets[counted][:, None]).mean()
