"""2 to the power of a cross-entropy in nats (row 10 of the book's corrections)."""

CAUGHT_BY = "test_perplexity"
HINT = "you raised 2 to a number of nats"


def perplexity(log_probs):
    return 2 ** (-sum(log_probs) / len(log_probs))
