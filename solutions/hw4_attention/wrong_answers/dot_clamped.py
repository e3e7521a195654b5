"""Scores are cut off at 100, "so that the softmax does not overflow"."""

CAUGHT_BY = "test_dot_scores"
HINT = "cut nothing off"


def dot_scores(H, s):
    return (H @ s[:, :, None])[:, :, 0].clamp(-100, 100)
