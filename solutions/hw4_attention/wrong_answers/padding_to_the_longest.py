"""As wide as the longest sentence, whatever n_keys says."""

CAUGHT_BY = "test_padding_mask"
HINT = "n_keys need not be the longest length"


def padding_mask(lengths, n_keys):
    return torch.arange(int(lengths.max())) < lengths[:, None]
