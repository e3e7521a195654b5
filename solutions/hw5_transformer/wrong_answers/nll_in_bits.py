"""Divides by log 2."""

CAUGHT_BY = "test_nll"
HINT = "that is in bits"


def nll(Z, targets):
    counted = targets >= 0
    log_p = Z[counted].log_softmax(dim=1)  # (N, V)
    return -log_p.gather(1, targets[counted][:, None]).mean() / math.log(2)
