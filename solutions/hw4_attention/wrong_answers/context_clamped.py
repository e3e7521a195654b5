"""States are cut off at 1000."""

CAUGHT_BY = "test_context_vectors"
HINT = "so does a large state"


def context_vectors(weights, H):
    return torch.einsum("bn,bnm->bm", weights, H.clamp(-1000, 1000))
