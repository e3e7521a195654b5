"""Subtracts the largest score of all positions: where all scores are far below it, the sum of exponentials is 0."""

CAUGHT_BY = "test_nll"
HINT = "each position's own largest"


def nll(Z, targets):
    counted = targets >= 0
    Z = Z[counted] - Z[counted].max()  # (N, V)
    log_p = Z - Z.exp().sum(dim=1, keepdim=True).log()
    return -log_p.gather(1, targets[counted][:, None]).mean()
