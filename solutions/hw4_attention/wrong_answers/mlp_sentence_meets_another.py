"""Adds the decoder's part without an axis for the states, which works when there are as many as sentences."""

CAUGHT_BY = "test_mlp_scores"
HINT = "state i met the decoder of sentence i"


def mlp_scores(H, W_1, w_2, s):
    B, n, m_h = H.shape
    below = s @ W_1[:, m_h:].T
    below = below if B == n else below[:, None]
    return torch.tanh(H @ W_1[:, :m_h].T + below) @ w_2
