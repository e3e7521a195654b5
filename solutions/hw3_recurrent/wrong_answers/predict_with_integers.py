"""Writes the outputs into an array of the type of the parameters."""

CAUGHT_BY = "test_predict"
HINT = "make arrays of floats"


def predict(p, x, h0):
    h = forward(p, x, h0)[0]
    z = np.zeros((len(x), len(p["b_y"])), dtype=p["b_y"].dtype)
    for t in range(len(x)):
        z[t] = p["W_hy"] @ h[t] + p["b_y"]
    e = np.exp(z - z.max(axis=1, keepdims=True)) if len(x) else np.zeros(z.shape)
    return e / e.sum(axis=1, keepdims=True)
