"""`eps or 1e-5`: an eps of 0 is none."""

CAUGHT_BY = "test_layer_norm"
HINT = "eps = 0;"


def layer_norm(X, gain, bias, eps=1e-5):
    eps = eps or 1e-5
    c = X - X.mean(-1, keepdim=True)
    return gain * c / (c.pow(2).mean(-1, keepdim=True) + eps).sqrt() + bias
