"""Takes the logarithm of probabilities."""

CAUGHT_BY = "test_nll"
HINT = "stay with logarithms"


def nll(Z, targets):
    counted = targets >= 0
    log_p = Z[counted].softmax(dim=-1).log()  # (N, V)
    return -log_p.gather(1, targets[counted][:, None]).mean()
