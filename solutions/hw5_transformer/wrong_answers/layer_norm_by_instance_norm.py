"""The ready-made instance norm, with one channel for each row."""

CAUGHT_BY = "test_layer_norm"
HINT = "calls a ready-made function"


def layer_norm(X, gain, bias, eps=1e-5):
    rows = X.reshape(1, -1, X.shape[-1])
    return torch.nn.functional.instance_norm(rows, eps=eps).reshape(X.shape) * gain + bias
