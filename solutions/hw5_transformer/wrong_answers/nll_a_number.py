"""A tensor made of a Python number: nothing to differentiate."""

CAUGHT_BY = "test_nll"
HINT = "torch cannot differentiate through yours"


def nll(Z, targets):
    total, n = 0.0, 0
    for z, t in zip(Z.flatten(0, 1), targets.flatten().tolist(), strict=True):
        if t != -1:
            total, n = total + float(z.logsumexp(0) - z[t]), n + 1
    return torch.tensor(total / n)
