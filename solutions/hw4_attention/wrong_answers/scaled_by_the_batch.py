"""Divides by the root of len(s), which is the number of sentences."""

CAUGHT_BY = "test_scaled_scores"
HINT = "you divide by the root of B"


def scaled_scores(H, W_g, s):
    return torch.einsum("bnh,hs,bs->bn", H, W_g, s) / len(s) ** 0.5
