"""The sum."""

CAUGHT_BY = "test_nll"
HINT = "that is the sum"


def nll(Z, targets):
    counted = targets >= 0
    log_p = Z[counted].log_softmax(dim=1)  # (N, V)
    return -log_p.gather(1, targets[counted][:, None]).sum()
