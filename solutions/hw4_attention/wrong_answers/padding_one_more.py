"""One place too many, unless the sentence is full."""

CAUGHT_BY = "test_padding_mask"
HINT = "True, True, False and True, True, True"


def padding_mask(lengths, n_keys):
    return torch.arange(n_keys) <= lengths[:, None]
