"""Queries and keys only."""

CAUGHT_BY = "test_toy_by_hand"
HINT = "two maps?"


def toy_by_hand():
    return {"embeddings": 90, "attention": 84, "feed-forward": 318, "norms": 24, "all": 954}
