"""Keeps the mask of these lengths, however many keys there are the next time."""

CAUGHT_BY = "test_padding_mask"
HINT = "n_keys need not be the longest length"

known = {}


def padding_mask(lengths, n_keys):
    key = tuple(lengths.tolist())
    if key not in known:
        known[key] = torch.arange(n_keys) < lengths[:, None]
    return known[key]
