"""Answers in double precision whatever came: the training in single precision stops with it."""

CAUGHT_BY = "test_rotate"
HINT = "float32 came in and another type went out"


def rotate(X, start=0):
    T, d = X.shape[-2:]
    w = 10_000.0 ** (-torch.arange(0, d, 2).double() / d)
    t = torch.arange(start, start + T).double()[:, None]
    a, b = X[..., 0::2].double(), X[..., 1::2].double()
    c, s = (t * w).cos(), (t * w).sin()
    return torch.stack([a * c - b * s, a * s + b * c], -1).reshape(X.shape)
