"""Uses epsilon only where the variance is 0."""

CAUGHT_BY = "test_layer_norm"
HINT = "eps stands under the root"


def layer_norm(X, gain, bias, eps=1e-5):
    centred = X - X.mean(dim=-1, keepdim=True)
    variance = (centred * centred).mean(dim=-1, keepdim=True)
    return gain * centred / torch.sqrt(torch.where(variance == 0, eps, variance)) + bias
