"""Divides the sum of squares by d − 1."""

CAUGHT_BY = "test_layer_norm"
HINT = "not by d - 1"


def layer_norm(X, gain, bias, eps=1e-5):
    centred = X - X.mean(dim=-1, keepdim=True)
    variance = X.var(dim=-1, keepdim=True)
    return gain * centred / torch.sqrt(variance + eps) + bias
