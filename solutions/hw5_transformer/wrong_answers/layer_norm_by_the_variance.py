"""Divides by the variance instead of its root."""

CAUGHT_BY = "test_layer_norm"
HINT = "divide by the standard deviation"


def layer_norm(X, gain, bias, eps=1e-5):
    centred = X - X.mean(dim=-1, keepdim=True)
    variance = (centred * centred).mean(dim=-1, keepdim=True)
    return gain * centred / (variance + eps) + bias
