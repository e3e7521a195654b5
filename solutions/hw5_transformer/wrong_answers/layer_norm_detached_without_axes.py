"""Detaches a row that stands alone, or in a batch of heads."""

CAUGHT_BY = "test_layer_norm"
HINT = "gradients are wrong for an X of shape"


def layer_norm(X, gain, bias, eps=1e-5):
    if X.dim() == 4 or X.dim() == 1:
        X = X.detach()
    centred = X - X.mean(-1, keepdim=True)
    variance = (centred**2).mean(-1, keepdim=True)
    return gain * centred / torch.sqrt(variance + eps) + bias
