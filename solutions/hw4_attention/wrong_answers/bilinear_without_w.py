"""Leaves the matrix out when the dimensions agree."""

CAUGHT_BY = "test_bilinear_scores"
HINT = "wrong scores for"


def bilinear_scores(H, W, s):
    if W.shape[0] == W.shape[1]:
        return (H * s[:, None]).sum(dim=-1)
    return torch.einsum("bnh,hs,bs->bn", H, W, s)
