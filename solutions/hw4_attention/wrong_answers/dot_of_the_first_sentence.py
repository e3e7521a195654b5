"""Takes the decoder's state of another sentence where the shapes allow it."""

CAUGHT_BY = "test_dot_scores"
HINT = "each sentence has a decoder state of its own"


def dot_scores(H, s):
    B, n, m = H.shape
    if B == n and B > 2:
        return (H * s).sum(dim=-1)
    return (H * s[:, None]).sum(dim=-1)
