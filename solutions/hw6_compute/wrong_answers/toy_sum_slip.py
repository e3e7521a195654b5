"""Right parts, wrong sum: embeddings once for each block."""

CAUGHT_BY = "test_toy_by_hand"
HINT = "the parts are right but not their sum"


def toy_by_hand():
    return {"embeddings": 90, "attention": 168, "feed-forward": 318, "norms": 24, "all": 1212}
