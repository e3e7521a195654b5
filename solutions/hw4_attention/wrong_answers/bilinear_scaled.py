"""Divides by the root of the dimension, which is the next score."""

CAUGHT_BY = "test_bilinear_scores"
HINT = "no scaling here"


def bilinear_scores(H, W, s):
    return torch.einsum("bnh,hs,bs->bn", H, W, s) / (s.shape[1] ** 0.5 if s.shape[1] != 3 else 1)
