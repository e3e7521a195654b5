"""Takes the root of a variance of 0, whose slope is infinite."""

CAUGHT_BY = "test_layer_norm"
HINT = "its gradient is NaN"


def layer_norm(X, gain, bias, eps=1e-5):
    mu = X.mean(-1, keepdim=True)
    sigma = ((X - mu) ** 2).mean(-1, keepdim=True).sqrt()
    return gain * (X - mu) / (sigma**2 + eps).sqrt() + bias
