"""Forgets the final LayerNorm."""

CAUGHT_BY = "test_toy_by_hand"
HINT = "what stands behind the last block?"


def toy_by_hand():
    return {"embeddings": 90, "attention": 168, "feed-forward": 318, "norms": 24, "all": 1110}
