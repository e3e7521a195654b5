"""Cuts off what is more than three standard deviations from the mean."""

CAUGHT_BY = "test_layer_norm"
HINT = "nothing is cut off"


def layer_norm(X, gain, bias, eps=1e-5):
    centred = X - X.mean(-1, keepdim=True)
    variance = (centred**2).mean(-1, keepdim=True)
    return gain * (centred / torch.sqrt(variance + eps)).clamp(-3, 3) + bias
