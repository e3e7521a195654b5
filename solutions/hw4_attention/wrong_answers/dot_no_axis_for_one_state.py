"""Where each sentence has one state, the decoder's states get no axis: each meets all sentences."""

CAUGHT_BY = "test_dot_scores"
HINT = "a decoder state of its own"


def dot_scores(H, s):
    if H.shape[1] == 1:
        return (H * s).sum(dim=-1)
    return (H * s[:, None]).sum(dim=-1)
