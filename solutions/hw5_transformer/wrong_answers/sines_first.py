"""All sines, then all cosines."""

CAUGHT_BY = "test_sinusoidal_positions"
HINT = "all sines first"


def sinusoidal_positions(n_positions, d):
    columns = torch.cat([torch.arange(0, d, 2), torch.arange(1, d, 2)])
    frequencies = 10_000.0 ** (-(columns // 2).double() * 2 / d)  # the same for both of a pair
    angles = torch.arange(n_positions)[:, None] * frequencies  # (T, d)
    return torch.where(columns % 2 == 0, angles.sin(), angles.cos())
