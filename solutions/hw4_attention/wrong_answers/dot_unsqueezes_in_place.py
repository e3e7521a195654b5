"""Gives the decoder's states their axis with unsqueeze_, and they keep it."""

CAUGHT_BY = "test_dot_scores"
HINT = "changed a tensor that it was given"


def dot_scores(H, s):
    return (H @ s.unsqueeze_(2)).squeeze(2)
