"""Takes id 0 for padding."""

CAUGHT_BY = "test_nll"
HINT = "1.155 nats was expected"


def nll(Z, targets):
    counted = targets > 0
    log_p = Z[counted].log_softmax(dim=1)  # (N, V)
    return -log_p.gather(1, targets[counted][:, None]).mean()
