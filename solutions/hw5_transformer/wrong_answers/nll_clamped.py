"""Cuts losses off at 1000 nats."""

CAUGHT_BY = "test_nll"
HINT = "no loss is cut off"


def nll(Z, targets):
    keep = targets != -1
    lp = Z[keep].log_softmax(-1).clamp(min=-1000)
    return -lp.gather(-1, targets[keep][:, None]).mean()
