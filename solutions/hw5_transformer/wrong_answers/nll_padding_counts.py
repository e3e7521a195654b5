"""Divides by the number of places."""

CAUGHT_BY = "test_nll"
HINT = "you divide by 4"


def nll(Z, targets):
    counted = targets >= 0
    log_p = Z[counted].log_softmax(dim=1)  # (N, V)
    return -log_p.gather(1, targets[counted][:, None]).sum() / targets.numel()
