"""The tanh around the score."""

CAUGHT_BY = "test_mlp_scores"
HINT = "before w_2"


def mlp_scores(H, W_1, w_2, s):
    S = s[:, None].expand(-1, H.shape[1], -1)
    return torch.tanh(torch.cat([H, S], dim=-1) @ W_1.T @ w_2)
