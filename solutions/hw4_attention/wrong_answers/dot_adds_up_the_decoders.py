"""Each state meets the decoders of all sentences, and the products are added up."""

CAUGHT_BY = "test_dot_scores"
HINT = "were added up"


def dot_scores(H, s):
    return (H @ s.T).sum(dim=-1)
