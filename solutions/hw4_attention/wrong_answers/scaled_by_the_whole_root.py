"""Takes the root to the next whole number below."""

CAUGHT_BY = "test_scaled_scores"
HINT = "wrong scores for B = 2, n = 7, m = 3"


def scaled_scores(H, W_g, s):
    return torch.einsum("bnh,hs,bs->bn", H, W_g, s) / math.isqrt(len(W_g))
