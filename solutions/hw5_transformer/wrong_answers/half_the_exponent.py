"""The exponent −i/d instead of −2i/d."""

CAUGHT_BY = "test_sinusoidal_positions"
HINT = "turns too fast"


def sinusoidal_positions(n_positions, d):
    columns = torch.arange(d)
    frequencies = 10_000.0 ** (-(columns // 2).double() / d)  # the same for both of a pair
    angles = torch.arange(n_positions)[:, None] * frequencies  # (T, d)
    return torch.where(columns % 2 == 0, angles.sin(), angles.cos())
