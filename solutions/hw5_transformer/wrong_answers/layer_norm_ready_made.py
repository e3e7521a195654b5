"""Calls torch's own layer_norm."""

CAUGHT_BY = "test_layer_norm"
HINT = "calls a ready-made function"


def layer_norm(X, gain, bias, eps=1e-5):
    return torch.nn.functional.layer_norm(X, gain.shape, gain, bias, eps)
