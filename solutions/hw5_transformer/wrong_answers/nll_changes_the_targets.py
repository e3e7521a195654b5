"""Writes 0 over the targets that do not count, to index with them, and so into the tensor that it was given."""

CAUGHT_BY = "test_nll"
HINT = "changed the scores or the targets"


def nll(Z, targets):
    counted = targets >= 0
    targets[~counted] = 0
    log_p = Z[counted].log_softmax(dim=1)  # (N, V)
    return -log_p.gather(1, targets[counted][:, None]).mean()
