"""Calls torch's own cross_entropy, by way of its layer."""

CAUGHT_BY = "test_nll"
HINT = "calls a ready-made function"


def nll(Z, targets):
    return torch.nn.CrossEntropyLoss(ignore_index=-1)(Z.flatten(0, 1), targets.flatten())
