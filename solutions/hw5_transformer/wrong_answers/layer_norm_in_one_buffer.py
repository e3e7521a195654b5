"""Without gradients, writes into one tensor for each shape, which every call returns."""

CAUGHT_BY = "test_layer_norm"
HINT = "an earlier result is another one"


KEPT = {}


def layer_norm(X, gain, bias, eps=1e-5):
    c = X - X.mean(-1, keepdim=True)
    z = gain * c / (c.pow(2).mean(-1, keepdim=True) + eps).sqrt() + bias
    if z.requires_grad:
        return z
    out = KEPT.setdefault((tuple(z.shape), z.dtype), torch.empty_like(z))
    out.copy_(z)
    return out
