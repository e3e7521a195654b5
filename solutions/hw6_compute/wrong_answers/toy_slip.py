"""A slip in the feed-forward network: a bias of 6 where one has 24."""

CAUGHT_BY = "test_toy_by_hand"
HINT = "the count of 'feed-forward' is wrong"


def toy_by_hand():
    return {"embeddings": 90, "attention": 168, "feed-forward": 300, "norms": 24, "all": 1086}
