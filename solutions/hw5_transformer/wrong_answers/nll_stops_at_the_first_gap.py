"""Takes a -1 for the end of the sentence: what stands behind it does not count."""

CAUGHT_BY = "test_nll"
HINT = "some targets -1"


def nll(Z, targets):
    counted = (targets >= 0).long().cumprod(dim=1).bool()
    log_p = Z[counted].log_softmax(dim=1)  # (N, V)
    return -log_p.gather(1, targets[counted][:, None]).mean()
