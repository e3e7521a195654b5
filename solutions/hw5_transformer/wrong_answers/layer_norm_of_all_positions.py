"""With more than one axis in front, takes one mean for a whole sequence."""

CAUGHT_BY = "test_layer_norm"
HINT = "(2, 3, 5)"


def layer_norm(X, gain, bias, eps=1e-5):
    axes = (-2, -1) if X.ndim > 2 else (-1,)
    centred = X - X.mean(dim=axes, keepdim=True)
    variance = (centred * centred).mean(dim=-1, keepdim=True)
    return gain * centred / torch.sqrt(variance + eps) + bias
