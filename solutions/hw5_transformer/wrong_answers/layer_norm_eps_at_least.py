"""Lets eps never be smaller than 1e-6."""

CAUGHT_BY = "test_layer_norm"
HINT = "eps stands under the root"


def layer_norm(X, gain, bias, eps=1e-5):
    eps = max(eps, 1e-6)
    centred = X - X.mean(-1, keepdim=True)
    variance = (centred**2).mean(-1, keepdim=True)
    return gain * centred / torch.sqrt(variance + eps) + bias
