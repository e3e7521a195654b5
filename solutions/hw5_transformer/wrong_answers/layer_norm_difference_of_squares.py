"""Variance as E[x²] − μ²: cancels for rows far from zero."""

CAUGHT_BY = "test_layer_norm"
HINT = "loses its digits"


def layer_norm(X, gain, bias, eps=1e-5):
    mu = X.mean(-1, keepdim=True)
    variance = (X * X).mean(-1, keepdim=True) - mu * mu
    return gain * (X - mu) / torch.sqrt(variance + eps) + bias
