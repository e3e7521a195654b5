"""squeeze() without an axis."""

CAUGHT_BY = "test_bilinear_scores"
HINT = "scores of shape"


def bilinear_scores(H, W, s):
    scores = (H @ W @ s[:, :, None]).squeeze()
    return scores if scores.ndim == 2 or len(H) > 1 else scores.reshape(1, -1) if H.shape[1] > 1 else scores
