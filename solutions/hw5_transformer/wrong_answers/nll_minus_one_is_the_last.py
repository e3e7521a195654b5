"""Indexes with −1."""

CAUGHT_BY = "test_nll"
HINT = "counts from the end"


def nll(Z, targets):
    counted = torch.ones_like(targets, dtype=torch.bool)
    targets = targets % Z.shape[-1]
    log_p = Z[counted].log_softmax(dim=1)  # (N, V)
    return -log_p.gather(1, targets[counted][:, None]).mean()
