"""Leaves examples without a loss out of the mean."""

CAUGHT_BY = "test_nll"
HINT = "an example with loss 0 counts"


def nll(Z, targets):
    Z = Z - Z.max(1, keepdims=True)
    lp = (Z - np.log(np.exp(Z).sum(1, keepdims=True)))[np.arange(len(Z)), targets]
    return float(-lp[lp < 0].mean()) if (lp < 0).any() else 0.0
