"""Takes the state with the largest weight: hard attention."""

CAUGHT_BY = "test_context_vectors"
HINT = "yours are"


def context_vectors(weights, H):
    return H[torch.arange(len(H)), weights.argmax(dim=1)]
