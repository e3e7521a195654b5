"""Each pair turns a hundred times slower than the one before, as in the example with d = 4."""

CAUGHT_BY = "test_sinusoidal_positions"
HINT = "is wrong for"


def sinusoidal_positions(n_positions, d):
    columns = torch.arange(d)
    frequencies = 100.0 ** -(columns // 2).double()  # the same for both of a pair
    angles = torch.arange(n_positions)[:, None] * frequencies  # (T, d)
    return torch.where(columns % 2 == 0, angles.sin(), angles.cos())
