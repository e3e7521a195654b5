"""W_g transposed, which no shape can tell."""

CAUGHT_BY = "test_scaled_scores"
HINT = "W_g is transposed"


def scaled_scores(H, W_g, s):
    return torch.einsum("bnh,sh,bs->bn", H, W_g, s) / W_g.shape[0] ** 0.5
