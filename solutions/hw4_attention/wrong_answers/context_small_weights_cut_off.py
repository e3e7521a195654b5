"""Takes small weights for 0, so that few states are left."""

CAUGHT_BY = "test_context_vectors"
HINT = "a small weight counts"


def context_vectors(weights, H):
    return torch.einsum("bn,bnm->bm", torch.where(weights > 1e-3, weights, 0), H)
