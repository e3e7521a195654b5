"""No loss is above 1500 nats."""

CAUGHT_BY = "test_nll"
HINT = "nothing is cut off"


def nll(Z, targets):
    Z = Z - Z.max(1, keepdims=True)
    lp = (Z - np.log(np.exp(Z).sum(1, keepdims=True)))[np.arange(len(Z)), targets]
    return float(-np.maximum(lp, -1500).mean())
