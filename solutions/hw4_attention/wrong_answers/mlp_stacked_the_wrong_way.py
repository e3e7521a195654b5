"""The decoder's state on top, if both have the same size."""

CAUGHT_BY = "test_mlp_scores"
HINT = "stacked in the wrong order for"


def mlp_scores(H, W_1, w_2, s):
    m_h, m_s = H.shape[-1], s.shape[-1]
    S = s[:, None].expand(-1, H.shape[1], -1)
    both = [S, H] if m_h == m_s > 1 else [H, S]
    return torch.tanh(torch.cat(both, dim=-1) @ W_1.T) @ w_2
