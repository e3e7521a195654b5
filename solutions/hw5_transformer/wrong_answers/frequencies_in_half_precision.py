"""Keeps the frequencies in 16 bits."""

CAUGHT_BY = "test_sinusoidal_positions"
HINT = "frequencies 1 and 1/100"


def sinusoidal_positions(n_positions, d):
    columns = torch.arange(d)
    frequencies = 10_000.0 ** (-(columns // 2).double() * 2 / d)  # the same for both of a pair
    angles = torch.arange(n_positions)[:, None] * frequencies.half()
    return torch.where(columns % 2 == 0, angles.sin(), angles.cos())
