"""No hidden layer: the tanh is missing."""

CAUGHT_BY = "test_mlp_scores"
HINT = "the tanh is missing"


def mlp_scores(H, W_1, w_2, s):
    S = s[:, None].expand(-1, H.shape[1], -1)
    return torch.cat([H, S], dim=-1) @ W_1.T @ w_2
