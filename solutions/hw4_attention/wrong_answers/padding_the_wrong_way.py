"""True at the padding."""

CAUGHT_BY = "test_padding_mask"
HINT = "the wrong way round"


def padding_mask(lengths, n_keys):
    return torch.arange(n_keys) >= lengths[:, None]
