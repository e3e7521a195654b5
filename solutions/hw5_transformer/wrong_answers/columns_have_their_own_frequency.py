"""The cosine of a pair has another frequency than its sine."""

CAUGHT_BY = "test_sinusoidal_positions"
HINT = "frequencies 1 and 1/100"


def sinusoidal_positions(n_positions, d):
    columns = torch.arange(d)
    frequencies = 10_000.0 ** (-columns.double() / d)  # the same for both of a pair
    angles = torch.arange(n_positions)[:, None] * frequencies  # (T, d)
    return torch.where(columns % 2 == 0, angles.sin(), angles.cos())
