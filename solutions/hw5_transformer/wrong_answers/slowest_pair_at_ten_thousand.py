"""Spreads the frequencies so that the last is 1/10 000."""

CAUGHT_BY = "test_sinusoidal_positions"
HINT = "frequencies 1 and 1/100"


def sinusoidal_positions(n_positions, d):
    columns = torch.arange(d)
    frequencies = 10_000.0 ** (-(columns // 2).double() / max(1, d // 2 - 1))  # the same for both of a pair
    angles = torch.arange(n_positions)[:, None] * frequencies  # (T, d)
    return torch.where(columns % 2 == 0, angles.sin(), angles.cos())
