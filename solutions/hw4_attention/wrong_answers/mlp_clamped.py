"""Scores are cut off."""

CAUGHT_BY = "test_mlp_scores"
HINT = "the tanh of a large number is 1"


def mlp_scores(H, W_1, w_2, s):
    m_h = H.shape[-1]
    return (torch.tanh(H @ W_1[:, :m_h].T + (s @ W_1[:, m_h:].T)[:, None]) @ w_2).clamp(-50, 50)
