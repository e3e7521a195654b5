"""Centres the tensor that it was given."""

CAUGHT_BY = "test_layer_norm"
HINT = "changed an argument"


def layer_norm(X, gain, bias, eps=1e-5):
    centred = X
    centred -= X.mean(dim=-1, keepdim=True)
    variance = (centred * centred).mean(dim=-1, keepdim=True)
    return gain * centred / torch.sqrt(variance + eps) + bias
