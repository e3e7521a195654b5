"""The ready-made RMSNorm of the centred rows."""

CAUGHT_BY = "test_layer_norm"
HINT = "calls a ready-made function"


def layer_norm(X, gain, bias, eps=1e-5):
    c = X - X.mean(-1, keepdim=True)
    return torch.nn.functional.rms_norm(c, c.shape[-1:], gain, eps) + bias
