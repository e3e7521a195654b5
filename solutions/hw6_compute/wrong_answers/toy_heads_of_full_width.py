"""Gives each head the whole width."""

CAUGHT_BY = "test_toy_by_hand"
HINT = "each head has size 2, not 6"


def toy_by_hand():
    return {"embeddings": 90, "attention": 420, "feed-forward": 318, "norms": 24, "all": 1626}
