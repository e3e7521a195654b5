"""Takes the natural logarithm: nats, not bits."""

CAUGHT_BY = "test_surprisal"
HINT = "that is in nats"


def surprisal(probabilities):
    return -np.log(probabilities).mean()
