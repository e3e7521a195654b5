"""Normalises the columns."""

CAUGHT_BY = "test_layer_norm"
HINT = "columns have mean 0"


def layer_norm(X, gain, bias, eps=1e-5):
    centred = X - X.mean(dim=0, keepdim=True)
    variance = (centred * centred).mean(dim=0, keepdim=True)
    return gain * centred / torch.sqrt(variance + eps) + bias
