"""The first position is 1."""

CAUGHT_BY = "test_sinusoidal_positions"
HINT = "the first position is t = 0"


def sinusoidal_positions(n_positions, d):
    columns = torch.arange(d)
    frequencies = 10_000.0 ** (-(columns // 2).double() * 2 / d)  # the same for both of a pair
    angles = torch.arange(1, n_positions + 1)[:, None] * frequencies  # (T, d)
    return torch.where(columns % 2 == 0, angles.sin(), angles.cos())
