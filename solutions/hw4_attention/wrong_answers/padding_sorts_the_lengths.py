"""Sorts the sentences by length."""

CAUGHT_BY = "test_padding_mask"
HINT = "is to be True at its first"


def padding_mask(lengths, n_keys):
    return torch.arange(n_keys) < lengths.sort().values[:, None]
