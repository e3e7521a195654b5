"""A pair is a complex number, and a rotation a product."""


def turns(positions, d):
    frequencies = 10_000 ** (-torch.arange(d // 2, dtype=torch.float64) * 2 / d)
    return torch.exp(1j * torch.outer(positions.double(), frequencies))


def sinusoidal_positions(n_positions, d):
    z = turns(torch.arange(n_positions), d)
    return torch.view_as_real(z).flip(-1).reshape(n_positions, d)


def rotate(X, start=0):
    T, d_k = X.shape[-2:]
    z = torch.complex(X[..., ::2], X[..., 1::2])
    z = z * turns(torch.arange(start, start + T), d_k).to(z.dtype)
    return torch.view_as_real(z).reshape(X.shape)
