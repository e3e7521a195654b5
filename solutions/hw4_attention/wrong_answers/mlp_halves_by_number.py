"""Cuts W_1 in the middle, which is right for equal dimensions only."""

CAUGHT_BY = "test_mlp_scores"
HINT = "wrong scores for"


def mlp_scores(H, W_1, w_2, s):
    half = (W_1.shape[1] + 1) // 2
    top, below = W_1[:, :half], W_1[:, half:]
    if H.shape[-1] != half:
        both = torch.cat([s[:, None].expand(-1, H.shape[1], -1), H], dim=-1)
        return torch.tanh(both @ W_1.T) @ w_2
    return torch.tanh(H @ top.T + (s @ below.T)[:, None]) @ w_2
