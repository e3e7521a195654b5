"""Takes the loss of the first sixteen texts of a batch."""

CAUGHT_BY = "test_nll"
HINT = "B, T, V = (70, 3, 4)"


def nll(Z, targets):
    Z, targets = Z[:16], targets[:16]
    counted = targets >= 0
    return -Z[counted].log_softmax(dim=1).gather(1, targets[counted][:, None]).mean()
