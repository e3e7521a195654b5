"""Takes the width for the number of positions as well."""

CAUGHT_BY = "test_toy_by_hand"
HINT = "the count of 'embeddings' is wrong"


def toy_by_hand():
    return {"embeddings": 96, "attention": 168, "feed-forward": 318, "norms": 24, "all": 1128}
