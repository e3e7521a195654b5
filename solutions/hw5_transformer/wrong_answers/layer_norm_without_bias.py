"""Forgets the bias."""

CAUGHT_BY = "test_layer_norm"
HINT = "where is the bias"


def layer_norm(X, gain, bias, eps=1e-5):
    centred = X - X.mean(dim=-1, keepdim=True)
    variance = (centred * centred).mean(dim=-1, keepdim=True)
    return gain * centred / torch.sqrt(variance + eps)
