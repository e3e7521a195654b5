"""A batch of one sentence takes a way of its own, and there a square W is transposed."""

CAUGHT_BY = "test_bilinear_scores"
HINT = "with a square W"


def bilinear_scores(H, W, s):
    if len(H) == 1 and W.shape[0] == W.shape[1]:
        return (s @ W @ H[0].T).reshape(1, -1)
    return (H @ W @ s[:, :, None])[:, :, 0]
