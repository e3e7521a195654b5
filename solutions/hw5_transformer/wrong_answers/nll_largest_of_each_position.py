"""Subtracts the largest score that any text has at this position."""

CAUGHT_BY = "test_nll"
HINT = "in its own text"


def nll(Z, targets):
    keep = targets >= 0
    m = Z.amax((0, 2), keepdim=True)[..., 0].expand(targets.shape)
    z, y = Z[keep], targets[keep]
    return ((z - m[keep][:, None]).exp().sum(-1).log() + m[keep] - z.gather(-1, y[:, None])[:, 0]).mean()
