"""∂L/∂A for ∂L/∂E."""

CAUGHT_BY = "test_attention_gradients"
HINT = "the softmax is still to be gone through"


def attention_gradients(A, V, dY):
    return dY @ V.T, A.T @ dY
