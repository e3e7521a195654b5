"""The mean of the sentences' means."""

CAUGHT_BY = "test_nll"
HINT = "every TOKEN counts the same"


def nll(Z, targets):
    counted = targets >= 0
    log_p = Z[counted].log_softmax(dim=1)  # (N, V)
    losses = torch.zeros(targets.shape, dtype=Z.dtype)
    losses[counted] = -log_p.gather(1, targets[counted][:, None])[:, 0]
    return (losses.sum(1) / counted.sum(1)).mean()
