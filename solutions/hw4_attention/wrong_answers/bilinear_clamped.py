"""Scores are cut off."""

CAUGHT_BY = "test_bilinear_scores"
HINT = "cut nothing off"


def bilinear_scores(H, W, s):
    return torch.einsum("bnh,hs,bs->bn", H, W, s).clamp(-50, 50)
