"""Keeps ∂L/∂A, by the sizes of the values."""

CAUGHT_BY = "test_attention_gradients"
HINT = "right in one call, wrong in the next"

_seen = {}


def attention_gradients(A, V, dY):
    key = V.shape, tuple(dY.flatten().tolist())
    if key not in _seen:
        _seen[key] = dY @ V.T
    dA = _seen[key]
    return A * (dA - (A * dA).sum(dim=1, keepdim=True)), A.T @ dY
