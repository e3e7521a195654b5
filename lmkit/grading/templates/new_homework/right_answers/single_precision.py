"""In float32, by way of nats."""


def surprisal(probabilities):
    nats = -np.log(np.asarray(probabilities, dtype=np.float32))
    return np.mean(nats / np.float32(np.log(2)), dtype=np.float32)
