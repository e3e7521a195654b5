"""Mean and variance are constants for the gradient."""

CAUGHT_BY = "test_layer_norm"
HINT = "but their gradients are wrong"


def layer_norm(X, gain, bias, eps=1e-5):
    with torch.no_grad():
        mu = X.mean(-1, keepdim=True)
        variance = ((X - mu) ** 2).mean(-1, keepdim=True)
    return gain * (X - mu) / torch.sqrt(variance + eps) + bias
