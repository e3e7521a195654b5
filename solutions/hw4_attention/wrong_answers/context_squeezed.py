"""squeeze() without an axis."""

CAUGHT_BY = "test_context_vectors"
HINT = "contexts of shape"


def context_vectors(weights, H):
    return (weights[:, None] @ H).squeeze()
