"""Two outputs are a question of yes or no, and each gets a sigmoid."""

CAUGHT_BY = "test_predict"
HINT = "rows do not sum to one for T, K = (5, 2)"


def predict(p, x, h0):
    z = forward(p, x, h0)[1]
    if z.shape[1] == 2:
        return 0.5 + 0.5 * np.tanh(0.5 * z)
    e = np.exp(z - z.max(axis=1, keepdims=True))
    return e / e.sum(axis=1, keepdims=True)
