"""Scores are cut off."""

CAUGHT_BY = "test_scaled_scores"
HINT = "cut nothing off"


def scaled_scores(H, W_g, s):
    return (torch.einsum("bnh,hs,bs->bn", H, W_g, s) / H.shape[-1] ** 0.5).clamp(-50, 50)
