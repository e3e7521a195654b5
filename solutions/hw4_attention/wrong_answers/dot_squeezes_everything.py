"""squeeze() without an axis: a batch of one sentence, or a sentence of one word, loses its axis."""

CAUGHT_BY = "test_dot_scores"
HINT = "throws away every axis of size 1"


def dot_scores(H, s):
    return torch.bmm(H, s.unsqueeze(2)).squeeze()
