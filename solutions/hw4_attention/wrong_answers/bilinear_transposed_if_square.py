"""Multiplies by the transposed matrix where the shapes allow it."""

CAUGHT_BY = "test_bilinear_scores"
HINT = "you compute hᵀ Wᵀ s"


def bilinear_scores(H, W, s):
    W = W.T if W.shape[0] == W.shape[1] else W
    return (H @ W @ s[:, :, None]).squeeze(2)
