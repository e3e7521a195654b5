"""Gradients are cut off at ±10."""

CAUGHT_BY = "test_attention_gradients"
HINT = "large gradients are large"


def attention_gradients(A, V, dY):
    dA = dY @ V.T
    return (A * (dA - (A * dA).sum(1, keepdim=True))).clamp(-10, 10), (A.T @ dY).clamp(-10, 10)
