"""Adds a tiny number to probabilities."""

CAUGHT_BY = "test_nll"
HINT = "stay with logarithms"


def nll(Z, targets):
    counted = targets >= 0
    log_p = Z[counted].softmax(dim=-1).clamp(min=1e-12).log()  # (N, V)
    return -log_p.gather(1, targets[counted][:, None]).mean()
