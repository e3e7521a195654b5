"""The mean of each row is subtracted instead of its largest number: enough for some outputs, not for all."""

CAUGHT_BY = "test_predict"
HINT = "It is the LARGEST"


def predict(p, x, h0):
    _, z = forward(p, x, h0)
    e = np.exp(z - z.mean(axis=1, keepdims=True))
    return e / e.sum(axis=1, keepdims=True)
