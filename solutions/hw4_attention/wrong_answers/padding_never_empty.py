"""A sentence of no words is given one."""

CAUGHT_BY = "test_padding_mask"
HINT = "wrong for lengths"


def padding_mask(lengths, n_keys):
    return torch.arange(n_keys) < lengths.clamp(min=1)[:, None]
