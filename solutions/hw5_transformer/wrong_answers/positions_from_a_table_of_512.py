"""Takes the rows from a table of 512 positions."""

CAUGHT_BY = "test_sinusoidal_positions"
HINT = "wrong shape for 20001 positions"


def sinusoidal_positions(n_positions, d):
    columns = torch.arange(d)
    frequencies = 10_000.0 ** (-(columns // 2).double() * 2 / d)
    angles = torch.arange(512)[:, None] * frequencies
    return torch.where(columns % 2 == 0, angles.sin(), angles.cos())[:n_positions]
