"""Fills in single precision what should be as precise as the scores: part 3 cannot multiply doubles with it."""

CAUGHT_BY = "test_attention_weights"
HINT = "scores in double precision have weights in double precision"


def attention_weights(scores, mask=None):
    weights = torch.zeros(scores.shape)
    mask = torch.ones_like(scores, dtype=torch.bool) if mask is None else mask.expand(scores.shape)
    for at in np.ndindex(*scores.shape[:-1]):
        if mask[at].any():
            weights[at][mask[at]] = scores[at][mask[at]].softmax(0).float()
    return weights
