"""Goes by way of numpy: nothing is differentiated."""

CAUGHT_BY = "test_rotate"
HINT = "torch cannot differentiate through yours"


def rotate(X, start=0):
    T, d = X.shape[-2:]
    x = X.detach().numpy()
    a = np.arange(start, start + T)[:, None] * 10_000.0 ** (-np.arange(0, d, 2) / d)
    z = (x[..., 0::2] + 1j * x[..., 1::2]) * np.exp(1j * a)
    return torch.from_numpy(np.stack([z.real, z.imag], -1).reshape(x.shape).astype(x.dtype))
