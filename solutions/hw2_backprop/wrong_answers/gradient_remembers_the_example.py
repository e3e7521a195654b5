"""Keeps the gradient of an example, whatever the weights are by then."""

CAUGHT_BY = "test_weight_gradient"
HINT = "is another than in the call before"

_seen = {}


def weight_gradient(W, x, y):
    key = tuple(x.tolist()), tuple(y.tolist())
    if key not in _seen:
        _seen[key] = np.outer(softmax(W @ x) - y, x)
    return _seen[key]
