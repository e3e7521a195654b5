"""Lengths and positions in bytes, which count to 255."""

CAUGHT_BY = "test_padding_mask"
HINT = "wrong for 300 keys"


def padding_mask(lengths, n_keys):
    return torch.arange(n_keys).to(torch.uint8) < lengths[:, None].to(torch.uint8)
