"""Takes the length of the sentence for the dimension; √n in place of √m."""

CAUGHT_BY = "test_scaled_scores"
HINT = "the number of states"


def scaled_scores(H, W_g, s):
    size = H.shape[-1] if H.shape[1] == 1 else H.shape[1]
    return torch.einsum("bnh,hs,bs->bn", H, W_g, s) / size**0.5
