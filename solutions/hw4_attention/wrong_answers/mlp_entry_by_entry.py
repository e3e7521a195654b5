"""Reads the product sign as entry by entry."""

CAUGHT_BY = "test_mlp_scores"
HINT = "is an inner product"


def mlp_scores(H, W_1, w_2, s):
    S = s[:, None].expand(-1, H.shape[1], -1)
    return w_2 * torch.tanh(torch.cat([H, S], dim=-1) @ W_1.T)
