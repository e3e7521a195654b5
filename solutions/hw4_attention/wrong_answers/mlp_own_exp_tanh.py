"""tanh from exponentials: ∞/∞ for large states."""

CAUGHT_BY = "test_mlp_scores"
HINT = "the tanh of a large number is 1"


def mlp_scores(H, W_1, w_2, s):
    S = s[:, None].expand(-1, H.shape[1], -1)
    z = torch.cat([H, S], -1) @ W_1.T
    return ((z.exp() - (-z).exp()) / (z.exp() + (-z).exp())) @ w_2
