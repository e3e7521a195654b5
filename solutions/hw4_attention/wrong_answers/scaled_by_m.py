"""Divides by m instead of its root."""

CAUGHT_BY = "test_scaled_scores"
HINT = "divided by its square root"


def scaled_scores(H, W_g, s):
    return torch.einsum("bnh,hs,bs->bn", H, W_g, s) / H.shape[-1]
