"""Takes the length of the vector s, its norm, for the m of the formula."""

CAUGHT_BY = "test_scaled_scores"
HINT = "wrong scores for"


def scaled_scores(H, W_g, s):
    return torch.einsum("bnh,hs,bs->bn", H, W_g, s) / s.norm(dim=1, keepdim=True)
